import { FindSelect } from './find-select.tsx';
import { usePartners } from './use-partners.ts';

/** Narrows a list to one partner. */
export function PartnerFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  return (
    <FindSelect
      isFilter
      label="Partner"
      value={value}
      onChange={onChange}
      useFound={usePartners}
      nothingFound="No partner has this in its name."
    />
  );
}
