/** Something that is shown once and handed over by the person who sees it: a link, a key, a secret. */
import type { Marquee } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { useChange } from '../api/api.ts';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

export type ShownOnceOptions = { lead: string; secret: string; copyText: string };

export function ShownOnce({ lead, secret, copyText }: ShownOnceOptions): ReactElement {
  const [isCopied, setCopied] = useState(false);
  // Without a clipboard (no TLS, not this machine) the text can still be marked and copied.
  const copy = () =>
    navigator.clipboard?.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div className="stack">
      <p>{lead}</p>
      <p className="secret">{secret}</p>
      <footer className="dialog-foot">
        <span role="status" className="muted small">
          {isCopied && t('once.copied')}
        </span>
        <Button kind="primary" onClick={() => void copy()}>
          {copyText}
        </Button>
      </footer>
    </div>
  );
}

export type NewSecretOptions = Omit<ShownOnceOptions, 'secret'> & {
  label: string;
  title: string;
  hint: string;
  /** Replaces the secret, and returns the new one. */
  replace: (api: Marquee) => Promise<string>;
};

/** A button that replaces a secret: it asks first, and shows the new one. */
export function NewSecret({ label, title, hint, replace, lead, copyText }: NewSecretOptions): ReactElement {
  const change = useChange(replace);
  return (
    <>
      <Confirm
        label={label}
        title={title}
        hint={hint}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate()}
      />
      <Dialog title={label} isOpen={change.data !== undefined} onClose={() => change.reset()}>
        {change.data !== undefined && <ShownOnce lead={lead} secret={change.data} copyText={copyText} />}
      </Dialog>
    </>
  );
}
