/** Uploading a picture for playlists. The server looks at the file before screens show it. */
import type { Marquee } from '@marquee/sdk';
import { useState, type ChangeEvent, type ReactElement } from 'react';
import { messageOf, useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Field } from '../../ui/field.tsx';
import { Bar } from '../../ui/status.tsx';
import { sendFile } from '../creatives/send-file.ts';

export type AddPictureOptions = { label: string; hint: string; onAdded: (id: string) => void };

export function AddPicture({ label, hint, onAdded }: AddPictureOptions): ReactElement {
  const [sent, setSent] = useState<number>();
  const upload = useChange((api, file: File) => createPicture(api, file, setSent));
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file) upload.mutate(file, { onSuccess: onAdded });
  };
  return (
    <>
      <Field
        label={label}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        onChange={choose}
        disabled={upload.isPending}
        hint={hint}
        error={upload.error ? messageOf(upload.error) : undefined}
      />
      {upload.isPending && <Bar share={sent ?? 0} label={t('upload.sending')} />}
    </>
  );
}

async function createPicture(api: Marquee, file: File, onProgress: (share: number) => void): Promise<string> {
  const {
    id,
    upload_url: url,
    content_type: contentType,
  } = await api.post('/v1/assets', { body: { name: file.name.replace(/\.\w+$/, ''), filename: file.name } });
  if (url !== null) await sendFile({ url, file, contentType, onProgress });
  return id;
}
