/** The page a fan sees when an app sent them here with a link that can't be used, and can't be sent back either. */
export function unusableLinkPage(message: string, requestId: string): string {
  return page(
    "This link can't be used",
    [message, 'Nothing was shared. Go back to the app and try again; if it happens once more, tell its makers.'],
    requestId,
  );
}

/** The page a fan sees when the fault is ours. */
export function unavailablePage(requestId: string): string {
  return page(
    'Signing in does not work right now',
    ['Something is wrong on our side. Nothing was shared. Go back to the app and try again shortly.'],
    requestId,
  );
}

function page(title: string, paragraphs: string[], requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 17px/1.5 system-ui, sans-serif;
    background: light-dark(#f4f4f7, #131318); color: light-dark(#1b1b22, #ececf2); }
  main { max-width: 26rem; margin: 1.5rem; padding: 2rem; border-radius: 16px; background: light-dark(#fff, #1d1d24);
    box-shadow: 0 1px 3px rgb(0 0 0 / .12); }
  h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; }
  p { margin: 0 0 .75rem; }
  small { color: light-dark(#5c5c6b, #a5a5b5); word-break: break-all; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<small>Request ${escapeHtml(requestId)}</small>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
