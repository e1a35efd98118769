/** The age of an event. Only this element is redrawn as it grows, and not its row. */
import type { ReactElement } from 'react';
import { ago, moment } from '../../text/format.ts';
import { useNow } from './use-now.ts';

export function Age({ at }: { at: string }): ReactElement {
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, useNow())}
    </time>
  );
}
