/** The e-invoice of a document in both syntaxes of EN 16931. The call needs a key, so it is no plain link. */
import type { ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { keepFile } from '../../api/keep-file.ts';
import { t } from '../../text/text.ts';
import { Fault } from '../../ui/states.tsx';

const FORMATS = ['ubl', 'cii'] as const;
type Format = (typeof FORMATS)[number];

export function EInvoice({ id, number }: { id: string; number: string }): ReactElement {
  const download = useChange((api, format: Format) =>
    api
      .xml('/v1/invoices/{id}', { path: { id }, query: { format } })
      .then(xml => keepFile(xml, { name: `${number}-${format}.xml`, type: 'application/xml' })),
  );
  return (
    <>
      {FORMATS.map(format => (
        <button
          key={format}
          type="button"
          className="text-button"
          aria-label={t('invoices.file', { number, format: format.toUpperCase() })}
          disabled={download.isPending}
          onClick={() => download.mutate(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
      <Fault error={download.error} />
    </>
  );
}
