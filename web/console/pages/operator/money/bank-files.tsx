/** Files of payouts for the bank: a new one with the pending payouts, and files without an answer. */
import { useState, type ReactElement } from 'react';
import { useChange, useRead } from '../../../api/api.ts';
import { keepFile } from '../../../api/keep-file.ts';
import { useMayWrite } from '../../../api/session.ts';
import { count, money } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Card } from '../../../ui/page.tsx';
import { Answered, Fault } from '../../../ui/states.tsx';
import { BankFilePaidDialog, type BankFile } from './bank-file-paid-dialog.tsx';

/** Takes the waiting payouts; the file is then in the list, to be downloaded as often as needed. */
export function NewBankFile(): ReactElement {
  const write = useChange(api => api.post('/v1/operator/bank-files'));
  const tell = ({ message_id: id, payouts, without_account: without }: Awaited<ReturnType<typeof write.mutateAsync>>) =>
    showToast({
      text: [
        id === null ? t('bankFiles.nothing') : t('bankFiles.written', { id, payouts: count(payouts) }),
        ...(without.length > 0 ? [t('bankFiles.withoutAccount', { workspaces: count(without.length) })] : []),
      ].join(' '),
    });
  return (
    <>
      <Button kind="primary" isBusy={write.isPending} onClick={() => write.mutate(undefined, { onSuccess: tell })}>
        {t('bankFiles.write')}
      </Button>
      <Fault error={write.error} />
    </>
  );
}

export function BankFiles({ onShow }: { onShow: (id: string) => void }): ReactElement {
  const [paying, setPaying] = useState<BankFile>();
  const mayWrite = useMayWrite('payments');
  const files = useRead(['bank-files'], (api, signal) => api.get('/v1/operator/bank-files', { signal }));
  return (
    <>
      <Answered of={files} lines={2}>
        {({ files: unanswered }) =>
          unanswered.length > 0 && (
            <Card title={t('bankFiles.title')} note={t('bankFiles.note')} isWide>
              <ul className="periods">
                {unanswered.map(file => (
                  <File key={file.message_id} file={file} onShow={onShow} onPaid={mayWrite ? setPaying : undefined} />
                ))}
              </ul>
            </Card>
          )
        }
      </Answered>
      {paying && <BankFilePaidDialog file={paying} onClose={() => setPaying(undefined)} />}
    </>
  );
}

type FileOptions = { file: BankFile; onShow: (id: string) => void; onPaid: ((file: BankFile) => void) | undefined };

function File({ file, onShow, onPaid }: FileOptions): ReactElement {
  const { message_id: id, payouts, amounts } = file;
  const download = useChange(api =>
    api
      .xml('/v1/operator/bank-files/{id}', { path: { id } })
      .then(xml => keepFile(xml, { name: `${id}.xml`, type: 'application/xml' })),
  );
  return (
    <li>
      <span className="fill breaks">
        <button type="button" className="text-button" onClick={() => onShow(id)}>
          {id}
        </button>
        <span className="muted small">
          {' '}
          {t('bankFiles.holds', { payouts: count(payouts), amounts: amounts.map(money).join(', ') })}
        </span>
      </span>
      <Button
        aria-label={t('bankFiles.downloadOf', { id })}
        isBusy={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('bankFiles.download')}
      </Button>
      {onPaid && (
        <Button aria-label={t('bankFiles.paidOf', { id })} onClick={() => onPaid(file)}>
          {t('bankFiles.settle')}
        </Button>
      )}
      <Fault error={download.error} />
    </li>
  );
}
