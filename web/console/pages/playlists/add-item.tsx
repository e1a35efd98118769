/** Adding to a playlist: items without a file directly, pictures and creatives from those of the workspace. */
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AddPicture } from './add-picture.tsx';
import { newItem, type Item } from './draft.ts';
import type { Media, Medium } from './media.ts';

const PLAIN = ['ad_slot', 'ai_menu', 'sponsorship_card'] as const;
type Chosen = 'image' | 'creative';

export type AddItemOptions = { media: Media; onAdd: (item: Item) => void };

export function AddItem({ media, onAdd }: AddItemOptions): ReactElement {
  const [chosen, setChosen] = useState<Chosen>();
  const add = (type: Item['type'], id?: string) => {
    onAdd(newItem(type, id));
    setChosen(undefined);
  };
  return (
    <div className="add-item" role="group" aria-label={t('playlist.add')}>
      {PLAIN.map(type => (
        <Button key={type} onClick={() => add(type)}>
          <Icon name="plus" />
          {term('item', type)}
        </Button>
      ))}
      {(['image', 'creative'] as const).map(type => (
        <Button key={type} onClick={() => setChosen(type)}>
          <Icon name="plus" />
          {t('playlist.choose', { kind: term('item', type) })}
        </Button>
      ))}
      <Dialog
        title={chosen === undefined ? '' : term('item', chosen)}
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
      >
        {chosen === 'image' && (
          <>
            <MediumGrid media={media.images} onChoose={id => add('image', id)} />
            <AddPicture label={t('playlist.upload')} hint={t('playlist.uploadHint')} onAdded={id => add('image', id)} />
          </>
        )}
        {chosen === 'creative' && <Creatives media={media.creatives} onChoose={id => add('creative', id)} />}
      </Dialog>
    </div>
  );
}

type ChoiceOptions = { media: readonly Medium[]; onChoose: (id: string) => void };

function Creatives({ media, onChoose }: ChoiceOptions): ReactElement {
  if (media.length > 0) return <MediumGrid media={media} onChoose={onChoose} />;
  return (
    <EmptyState title={t('booking.noCreative')} hint={t('playlist.noCreativeHint')}>
      <Link to="/creatives" className="button">
        {t('creatives.upload')}
      </Link>
    </EmptyState>
  );
}

function MediumGrid({ media, onChoose }: ChoiceOptions): ReactElement {
  return (
    <div className="medium-grid">
      {media.map(({ id, name, url }) => (
        <button key={id} type="button" className="creative-choice" onClick={() => onChoose(id)}>
          {url === null ? <span className="poster-gap" /> : <img src={url} alt="" loading="lazy" />}
          <span className="small">{name}</span>
        </button>
      ))}
    </div>
  );
}
