/** How long ago something was. It alone is drawn again as it grows, and not the row in which it stands. */
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
