/** Sends one webhook a made-up event of a chosen type, as its receiver will get it. */
import { useState, type ReactElement } from 'react';
import type { OperationOf } from '@marquee/sdk';
import { useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Fault } from '../../ui/states.tsx';

type Simulated = OperationOf<'/v1/webhooks/{id}/simulate', 'post'>;
type EventType = Simulated['requestBody']['content']['application/json']['type'];

export function Simulate({ id, events }: { id: string; events: readonly string[] }): ReactElement {
  const [chosen, setChosen] = useState(events[0] ?? '');
  const simulate = useChange(api =>
    // The events of a webhook are event types of the API.
    api.post('/v1/webhooks/{id}/simulate', { path: { id }, body: { type: chosen as EventType } }),
  );
  return (
    <Card title={t('webhooks.simulate')} note={t('webhooks.simulateNote')}>
      <SelectField label={t('webhooks.event')} value={chosen} onChange={event => setChosen(event.target.value)}>
        {events.map(event => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </SelectField>
      <Button isBusy={simulate.isPending} onClick={() => simulate.mutate()}>
        {t('webhooks.simulateSend')}
      </Button>
      <Fault error={simulate.error} />
    </Card>
  );
}
