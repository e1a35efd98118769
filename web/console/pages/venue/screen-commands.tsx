/** Remote commands of a screen: show its name in large letters, reload its player, take a screenshot. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { messageOf, useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';

type Screenshot = AnswerOf<OperationOf<'/v1/screens/{id}/screenshot', 'get'>>;

export function ScreenCommands({ id, commands }: { id: string; commands: readonly string[] }): ReactElement {
  const mayWrite = useMayWrite('screens');
  const [isWaiting, setWaiting] = useState(false);
  const screenshot = useRead(
    ['screen', id, 'screenshot'],
    (api, signal) => api.get('/v1/screens/{id}/screenshot', { path: { id }, signal }),
    { isLive: isWaiting },
  );
  const isRequested = screenshot.data?.state === 'requested';
  if (isRequested !== isWaiting) setWaiting(isRequested);
  return (
    <Card title={t('command.title')}>
      {mayWrite &&
        (commands.length === 0 ? (
          <p className="muted">{t('command.unsupported')}</p>
        ) : (
          <Buttons id={id} isWaiting={isWaiting} />
        ))}
      <Answered of={screenshot}>{record => <Picture screenshot={record} />}</Answered>
    </Card>
  );
}

function Buttons({ id, isWaiting }: { id: string; isWaiting: boolean }): ReactElement {
  const identify = useChange(api => api.post('/v1/screens/{id}/identify', { path: { id } }));
  const reload = useChange(api => api.post('/v1/screens/{id}/reload', { path: { id } }));
  const screenshot = useChange(api => api.post('/v1/screens/{id}/screenshot', { path: { id } }));
  const all = [identify, reload, screenshot];
  /** The message is about the last used button. */
  const press = (pressed: (typeof all)[number]) => {
    for (const one of all) one.reset();
    pressed.mutate();
  };
  const error = all.find(one => one.error)?.error;
  return (
    <>
      <div className="row">
        <Button isBusy={identify.isPending} onClick={() => press(identify)}>
          {t('command.identify')}
        </Button>
        <Button isBusy={reload.isPending} onClick={() => press(reload)}>
          {t('command.reload')}
        </Button>
        <Button isBusy={screenshot.isPending || isWaiting} onClick={() => press(screenshot)}>
          {t('command.screenshot')}
        </Button>
      </div>
      <p className={error ? 'field-error' : 'muted small'} role="status">
        {error && messageOf(error)}
        {identify.isSuccess && t('command.identified')}
        {reload.isSuccess && t('command.reloaded')}
        {isWaiting && t('command.waiting')}
      </p>
    </>
  );
}

function Picture({ screenshot: { fault, image, taken_at: takenAt } }: { screenshot: Screenshot }): ReactElement {
  return (
    <>
      {fault !== null && <p className="field-error">{term('command.fault', fault)}</p>}
      {image !== null && takenAt !== null && (
        <figure className="screenshot">
          <img src={image} alt={t('command.picture')} />
          <figcaption className="muted small">{t('command.taken', { time: moment(takenAt) })}</figcaption>
        </figure>
      )}
    </>
  );
}
