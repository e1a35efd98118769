/** Cards below the earnings: withdrawals, monthly statements with their PDFs, and earnings held during a review. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { moment, monthName } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState, type EmptyStateOptions } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { payoutMoney } from './payout-money.ts';

/** The latest; the API has the others. */
const RECORDS_MAX = '20';
/** A year of one currency. */
const STATEMENTS_MAX = '12';

export function Payouts(): ReactElement {
  const list = useRead(
    ['payouts'],
    (api, signal) => api.get('/v1/payouts', { query: { limit: RECORDS_MAX }, signal }),
    { isLive: true },
  );
  const empty = { title: t('earnings.noPayout'), hint: t('earnings.noPayoutHint') };
  return (
    <Records of={list} title={t('earnings.payouts')} empty={empty}>
      {({ id, status, amount, issued_at: at }) => (
        <li key={id}>
          <Status of={status} group="payout" />
          <span>{payoutMoney(amount)}</span>
          <span className="muted small" title={id}>
            {moment(at)}
          </span>
        </li>
      )}
    </Records>
  );
}

export function Statements(): ReactElement {
  const list = useRead(['statements'], (api, signal) =>
    api.get('/v1/payouts/statements', { query: { limit: STATEMENTS_MAX }, signal }),
  );
  return (
    <Records
      of={list}
      title={t('statements.title')}
      note={t('statements.note')}
      empty={{ title: t('statements.none') }}
    >
      {({ month, currency, earnings, pdf_url: url, is_final: isFinal }) => (
        <li key={`${month} ${currency}`}>
          <a href={url}>{monthName(month)}</a>
          <span>{payoutMoney(earnings)}</span>
          {!isFinal && <span className="muted small">{t('statements.running')}</span>}
        </li>
      )}
    </Records>
  );
}

export function Holds(): ReactElement {
  const list = useRead(['holds'], (api, signal) =>
    api.get('/v1/payouts/holds', { query: { limit: RECORDS_MAX }, signal }),
  );
  return (
    <Records of={list} title={t('holds.title')} note={t('holds.note')} empty={{ title: t('holds.none') }}>
      {({ id, status, concerns, held, reversed, raised_at: at }) => (
        <li key={id}>
          <Status of={status} group="hold" />
          <span>{(status === 'upheld' ? reversed : held).map(payoutMoney).join(', ')}</span>
          <span className="muted small">
            {term('concern', concerns)}, {moment(at)}
          </span>
        </li>
      )}
    </Records>
  );
}

type RecordsOptions<Row> = {
  of: UseQueryResult<{ data: readonly Row[] }>;
  title: string;
  note?: string;
  empty: EmptyStateOptions;
  children: (row: Row) => ReactElement;
};

function Records<Row>({ of, title, note, empty, children }: RecordsOptions<Row>): ReactElement {
  return (
    <Card title={title} {...(note !== undefined && { note })}>
      <Answered of={of}>
        {({ data }) =>
          data.length === 0 ? <EmptyState {...empty} /> : <ul className="periods">{data.map(children)}</ul>
        }
      </Answered>
    </Card>
  );
}
