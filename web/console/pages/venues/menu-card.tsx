/** The menu of a place, which playlists show: edited as text, with links to how it looks. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { MarqueeError } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorState, Fault, Loading } from '../../ui/states.tsx';
import { menuOfText, textOfMenu } from './menu-text.ts';

type Menu = AnswerOf<OperationOf<'/v1/venues/{id}/menu', 'get'>>;

export function MenuCard({ id, mayWrite }: { id: string; mayWrite: boolean }): ReactElement {
  const menu = useRead(['menu', id], (api, signal) =>
    api.get('/v1/venues/{id}/menu', { path: { id }, signal }).catch((error: unknown) => {
      if (error instanceof MarqueeError && error.is('not_found')) return null; // it has none yet
      throw error;
    }),
  );
  return (
    <Card title={t('menu.title')} note={t('menu.note')}>
      {menu.isPending && <Loading lines={3} />}
      {menu.error && <ErrorState error={menu.error} onRetry={() => void menu.refetch()} />}
      {menu.data !== undefined && (
        <MenuForm key={menu.data?.updated_at ?? 'none'} id={id} menu={menu.data} mayWrite={mayWrite} />
      )}
    </Card>
  );
}

function MenuForm({ id, menu, mayWrite }: { id: string; menu: Menu | null; mayWrite: boolean }): ReactElement {
  const { currency } = useSession().me.workspace;
  const before = textOfMenu(menu?.sections ?? []);
  const [text, setText] = useState(before);
  const { warning } = useUnsaved(text !== before);
  const [line, setLine] = useState<number>();
  const save = useSave((api, sections: Menu['sections']) =>
    api.put('/v1/venues/{id}/menu', {
      path: { id },
      body: {
        sections,
        ...(menu?.title !== undefined && { title: menu.title }),
        ...(menu?.language !== undefined && { language: menu.language }),
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = menuOfText(text, currency);
    setLine('line' in read ? read.line : undefined);
    if ('sections' in read) save.mutate(read.sections);
  };
  return (
    <form className="stack" aria-label={t('menu.title')} onSubmit={submit}>
      {warning}
      <TextArea
        label={t('menu.lines')}
        rows={8}
        value={text}
        onChange={event => setText(event.target.value)}
        readOnly={!mayWrite}
        hint={t('menu.hint')}
        error={line === undefined ? undefined : t('menu.badLine', { line })}
      />
      <Fault error={save.error} />
      <span className="row">
        {menu?.pages.map(({ template, url }) => (
          <a key={template} href={url} target="_blank" rel="noreferrer">
            {term('template', template)}
          </a>
        ))}
        {mayWrite && (
          <Button type="submit" isBusy={save.isPending} disabled={text === before}>
            {t('menu.save')}
          </Button>
        )}
      </span>
    </form>
  );
}
