import { FindSelect } from './find-select.tsx';
import { useClients } from './use-clients.ts';

/** Narrows a list to one client. */
export function ClientFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  return (
    <FindSelect
      isFilter
      label="Client"
      value={value}
      onChange={onChange}
      useFound={useClients}
      nothingFound="No client has this in its name."
    />
  );
}
