/** A form that stays on its page: it can be sent once something differs, and asks before unsaved changes are lost. */
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Fault } from '../states.tsx';
import { useUnsaved } from './unsaved.tsx';

export type SavedFormOptions = {
  /** Tells the forms of a page apart for assistive technology; its card shows it. */
  title: string;
  isDirty: boolean;
  mayWrite: boolean;
  save: { mutate: () => void; isPending: boolean; error: Error | null };
  /** What is wrong with single fields is said there. */
  faults: Readonly<Record<string, string>>;
  children: ReactNode;
};

export function SavedForm({ title, isDirty, mayWrite, save, faults, children }: SavedFormOptions): ReactElement {
  const { warning } = useUnsaved(isDirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <>
      {warning}
      <form onSubmit={submit} aria-label={title}>
        <fieldset aria-label={title} className="stack plain" disabled={!mayWrite}>
          {children}
          {Object.keys(faults).length === 0 && <Fault error={save.error} />}
          {mayWrite && (
            <div className="row">
              <Button type="submit" isBusy={save.isPending} disabled={!isDirty}>
                {t('dialog.save')}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </>
  );
}
