/** The categories of ads that are never shown in a place, or on one screen: found by name, each with its policy. */
import { memo, useState, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import type { Marquee } from '@marquee/sdk';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Choices, Field } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Answered, Fault } from '../../ui/states.tsx';

export type CategoryBlocksOptions = {
  blocked: readonly string[];
  note: string;
  mayWrite: boolean;
  /** A stable reference: a new one would redraw all boxes. */
  save: (api: Marquee, blocked: string[]) => Promise<unknown>;
};

export const CategoryBlocks = memo(function CategoryBlocks(options: CategoryBlocksOptions): ReactElement {
  const { blocked, note, mayWrite, save } = options;
  const [chosen, setChosen] = useState<readonly string[]>(blocked);
  const [text, setText] = useState('');
  const categories = useRead(['categories'], (api, signal) => api.get('/v1/categories', { signal }));
  const change = useSave(save);
  const wanted = text.trim().toLowerCase();
  const isChanged = chosen.length !== blocked.length || chosen.some(slug => !blocked.includes(slug));
  const { warning } = useUnsaved(isChanged);
  return (
    <Card
      title={t('blocks.title')}
      note={chosen.length === 0 ? t('blocks.none') : t('blocks.count', { count: chosen.length })}
      isWide
    >
      {warning}
      <p className="muted">{note}</p>
      <Answered of={categories}>
        {({ data }) => (
          <>
            {mayWrite && (
              <Field
                label={t('blocks.find')}
                type="search"
                value={text}
                maxLength={100}
                onChange={event => setText(event.target.value)}
              />
            )}
            <div className="blocks">
              <Choices
                label={t('blocks.blocked')}
                isDisabled={!mayWrite}
                options={data
                  .filter(({ policy }) => policy !== 'prohibited') // shown nowhere as it is
                  .map(({ slug }) => ({ value: slug, text: term('category', slug) }))
                  .filter(({ value, text }) => chosen.includes(value) || text.toLowerCase().includes(wanted))
                  .sort((a, b) => a.text.localeCompare(b.text))}
                chosen={chosen}
                onChange={setChosen}
              />
            </div>
          </>
        )}
      </Answered>
      {mayWrite && (
        <div className="row">
          <Button onClick={() => change.mutate([...chosen])} disabled={!isChanged} isBusy={change.isPending}>
            {t('dialog.save')}
          </Button>
          <Fault error={change.error} />
        </div>
      )}
    </Card>
  );
});
