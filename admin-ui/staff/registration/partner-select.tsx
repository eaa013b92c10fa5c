import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';

interface PartnerSelectProps {
  value: string;
  onChange: (id: string) => void;
  description?: string;
  error?: string | undefined;
  isFirst?: boolean;
}

/** Searches a partner by a part of the name. */
export function PartnerSelect({ description = 'The company that owns the client.', ...field }: PartnerSelectProps) {
  return (
    <FindSelect
      {...field}
      label="Partner"
      description={description}
      required
      useFound={usePartners}
      nothingFound="No matching partner. Register it under Partners."
    />
  );
}
