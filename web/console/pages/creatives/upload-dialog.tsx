/**
 * Uploading a creative: the file is looked at here first (which way it stands, how long it lasts), so that most of what
 * review would refuse is said before anything is sent.
 */
import type { Marquee } from '@marquee/sdk';
import { useState, type ChangeEvent, type FormEvent, type ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Bar } from '../../ui/status.tsx';
import { measureFile, type Measured } from './measured-file.ts';
import { sendFile } from './send-file.ts';
import { Fault } from '../../ui/states.tsx';

type Upload = Measured & { name: string; orientation: 'landscape' | 'portrait'; synthetic: boolean };
export type UploadDialogOptions = { isOpen: boolean; onClose: () => void };

export function UploadDialog({ isOpen, onClose }: UploadDialogOptions): ReactElement {
  const [measured, setMeasured] = useState<Measured>();
  const [fault, setFault] = useState<string>();
  const [sent, setSent] = useState<number>();
  const upload = useChange((api, chosen: Upload) => createCreative(api, chosen, setSent));
  const close = () => {
    setMeasured(undefined);
    setSent(undefined);
    upload.reset();
    onClose();
  };
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    setMeasured(undefined);
    setFault(undefined);
    if (!file) return;
    try {
      setMeasured(await measureFile(file));
    } catch {
      setFault(t('upload.unreadable'));
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const orientation = fields.get('orientation') === 'portrait' ? 'portrait' : 'landscape';
    const declared = { name: String(fields.get('name')), orientation, synthetic: fields.has('synthetic') } as const;
    if (measured) upload.mutate({ ...measured, ...declared }, { onSuccess: close });
  };
  return (
    <Dialog title={t('creatives.upload')} isOpen={isOpen} onClose={close}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('upload.file')}
          name="file"
          type="file"
          accept="video/mp4,video/webm,video/quicktime,image/jpeg,image/png,image/webp"
          onChange={event => void choose(event)}
          hint={t('upload.fileHint')}
          error={fault}
          required
        />
        {measured && <Details key={measured.file.name} measured={measured} />}
        <Fault error={upload.error} />
        {sent !== undefined && <Bar share={sent} label={t('upload.sending')} />}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" disabled={!measured} isBusy={upload.isPending}>
            {t('upload.send')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Details({ measured: { file, width, height } }: { measured: Measured }): ReactElement {
  return (
    <>
      <Field
        label={t('upload.name')}
        name="name"
        defaultValue={file.name.replace(/\.\w+$/, '')}
        maxLength={200}
        required
      />
      <SelectField
        label={t('upload.orientation')}
        name="orientation"
        defaultValue={height > width ? 'portrait' : 'landscape'}
        hint={t('upload.measured', { width, height })}
      >
        <option value="landscape">{t('orientation.landscape')}</option>
        <option value="portrait">{t('orientation.portrait')}</option>
      </SelectField>
      <label className="check">
        <input type="checkbox" name="synthetic" />
        {t('creatives.synthetic')}
      </label>
      <p className="muted small">{t('creatives.syntheticHint')}</p>
    </>
  );
}

async function createCreative(api: Marquee, upload: Upload, onProgress: (share: number) => void): Promise<void> {
  const { file, name, orientation, synthetic, durationMs } = upload;
  const creative = await api.post('/v1/creatives', {
    body: { name, orientation, synthetic, duration_ms: durationMs, filename: file.name },
  });
  if (creative.upload_url === null) return;
  await sendFile({ url: creative.upload_url, file, contentType: creative.content_type ?? file.type, onProgress });
}
