/** The sandbox badge on every page. */
export function SandboxBanner({ name, detail }: { name: string; detail: string }) {
  return (
    <div class="sandbox">
      <strong>{name}</strong>
      <span>{detail}</span>
    </div>
  );
}
