/** Something that is shown once and handed over by the person who sees it: a link, a key, a secret. */
import { useState, type ReactElement } from 'react';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';

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
