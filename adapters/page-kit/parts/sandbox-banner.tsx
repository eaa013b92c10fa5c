/** The badge that says that nothing here is real. */
export function SandboxBanner({ name, detail }: { name: string; detail: string }) {
  return (
    <div class="sandbox">
      <strong>{name}</strong>
      <span>{detail}</span>
    </div>
  );
}
