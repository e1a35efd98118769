/**
 * Uploading creatives: each file is looked at here first (which way it stands, how long it lasts), so that most of what
 * review would refuse is said before anything is sent. Files are sent one after the other.
 */
import type { Marquee } from '@marquee/sdk';
import { useEffect, useState, type FormEvent, type ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Bar } from '../../ui/status.tsx';
import { measureFile, type Measured } from './measured-file.ts';
import { sendFile } from './send-file.ts';
import { Fault } from '../../ui/states.tsx';

/** A campaign has at most 20 creatives, and each file here takes a part of the dialog. */
const FILES_MAX = 20;

type Upload = Measured & { name: string; orientation: 'landscape' | 'portrait'; synthetic: boolean };
export type UploadDialogOptions = {
  isOpen: boolean;
  /** Files that were dropped on the page. */
  dropped: readonly File[];
  onClose: () => void;
};

export function UploadDialog({ isOpen, dropped, onClose }: UploadDialogOptions): ReactElement {
  const { measured, fault, measure, remove } = useMeasured();
  const [sending, setSending] = useState<{ file: File; share: number }>();
  const upload = useChange((api, chosen: Upload) =>
    createCreative(api, chosen, share => setSending({ file: chosen.file, share })),
  );
  useEffect(() => void measure(dropped), [dropped, measure]);
  const close = () => {
    void measure([]);
    upload.reset();
    onClose();
  };
  /** Each file is a change of its own. The first fault ends the round; the next one sends what is left. */
  const sendAll = async (uploads: readonly Upload[]) => {
    try {
      for (const one of uploads) {
        setSending({ file: one.file, share: 0 });
        await upload.mutateAsync(one);
        remove(one.file);
      }
      close();
    } catch {
      // `upload.error` is shown.
    } finally {
      setSending(undefined);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [names, orientations, synthetic] = ['name', 'orientation', 'synthetic'].map(name => fields.getAll(name));
    void sendAll(
      measured.map((one, at) => ({
        ...one,
        name: String(names![at]),
        orientation: orientations![at] === 'portrait' ? 'portrait' : 'landscape',
        synthetic: synthetic!.includes(String(at)),
      })),
    );
  };
  return (
    <Dialog title={t('creatives.upload')} isOpen={isOpen} onClose={() => void (sending === undefined && close())}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('upload.file')}
          type="file"
          accept="video/mp4,video/webm,video/quicktime,image/jpeg,image/png,image/webp"
          multiple
          onChange={({ target: { files } }) => void measure([...(files ?? [])])}
          hint={t('upload.fileHint')}
          error={fault}
          required={measured.length === 0}
        />
        {measured.map((one, at) => (
          <fieldset key={keyOf(one.file)} className="stack" aria-label={one.file.name}>
            <Details measured={one} at={at} />
            {sending?.file === one.file && <Bar share={sending.share} label={t('upload.sending')} />}
          </fieldset>
        ))}
        <Fault error={upload.error} />
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" disabled={measured.length === 0} isBusy={sending !== undefined}>
            {measured.length > 1 ? t('upload.sendAll', { files: measured.length }) : t('upload.send')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

/** The chosen files that the browser can read, and a text about the others. */
function useMeasured() {
  const [measured, setMeasured] = useState<readonly Measured[]>([]);
  const [fault, setFault] = useState<string>();
  const [measure] = useState(() => async (files: readonly File[]) => {
    const chosen = [...new Map(files.map(file => [keyOf(file), file])).values()];
    const results = await Promise.allSettled(chosen.slice(0, FILES_MAX).map(measureFile));
    setMeasured(results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])));
    const unread = chosen.filter((_, at) => results[at]?.status === 'rejected').map(({ name }) => name);
    if (unread.length > 0) setFault(t('upload.unreadable', { names: unread.join(', ') }));
    else setFault(chosen.length > FILES_MAX ? t('upload.tooMany', { count: FILES_MAX }) : undefined);
  });
  const remove = (file: File) => setMeasured(before => before.filter(one => one.file !== file));
  return { measured, fault, measure, remove };
}

function Details({ measured: { file, width, height }, at }: { measured: Measured; at: number }): ReactElement {
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
        <input type="checkbox" name="synthetic" value={at} />
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
