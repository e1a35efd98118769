/** Creating a webhook, whose secret is shown once, or changing its address and events. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { eventTypesFor, isEventType, type EventType } from './event-types.ts';

type Webhook = RecordOf<'/v1/webhooks'>;
type Wanted = { url: string; events: EventType[] };
export type WebhookDialogOptions = {
  /** The changed webhook; absent: a new one. */
  webhook?: Webhook;
  isOpen: boolean;
  onClose: () => void;
};

export function WebhookDialog({ webhook, isOpen, onClose }: WebhookDialogOptions): ReactElement {
  const make = useChange((api, body: Wanted) => api.post('/v1/webhooks', { body }));
  const change = useChange((api, { id, body }: { id: string; body: Wanted }) =>
    api.patch('/v1/webhooks/{id}', { path: { id }, body }),
  );
  const close = () => {
    make.reset();
    change.reset();
    onClose();
  };
  const submit = (body: Wanted) =>
    webhook ? change.mutate({ id: webhook.id, body }, { onSuccess: close }) : make.mutate(body);
  return (
    <Dialog title={t(webhook ? 'webhooks.change' : 'webhooks.make')} isOpen={isOpen} onClose={close}>
      {make.data ? (
        <ShownOnce lead={t('webhooks.once')} secret={make.data.secret} copyText={t('webhooks.copySecret')} />
      ) : (
        <WebhookForm
          webhook={webhook}
          error={make.error ?? change.error}
          isBusy={make.isPending || change.isPending}
          onSubmit={submit}
        />
      )}
    </Dialog>
  );
}

type WebhookFormOptions = {
  webhook: Webhook | undefined;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (wanted: Wanted) => void;
};

function WebhookForm({ webhook, error, isBusy, onSubmit }: WebhookFormOptions): ReactElement {
  const types = eventTypesFor(useSession());
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? types);
  const faults = fieldErrors(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url')).trim();
    onSubmit({ url, events: events.filter(isEventType) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={t('webhooks.url')}
        name="url"
        type="url"
        maxLength={2_048}
        placeholder="https://"
        defaultValue={webhook?.url}
        hint={t('webhooks.urlHint')}
        error={faults['url']}
        required
      />
      <Choices
        label={t('webhooks.events')}
        options={types.map(type => ({ value: type, text: type }))}
        chosen={events}
        onChange={setEvents}
      />
      {error && faults['url'] === undefined && (
        <p className="field-error" role="alert">
          {faults['events'] ?? messageOf(error)}
        </p>
      )}
      <footer className="dialog-foot">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t(webhook ? 'dialog.save' : 'webhooks.make')}
        </Button>
      </footer>
    </form>
  );
}
