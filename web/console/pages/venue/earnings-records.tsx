/** What the earnings of a month come to, as a PDF each; and what is held back because plays are looked at. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { payoutMoney } from './payout-money.ts';

/** A year of one currency; the API has the others. */
const STATEMENTS_MAX = '12';
const HOLDS_MAX = '20';

export function Statements(): ReactElement {
  const list = useRead(['statements'], (api, signal) =>
    api.get('/v1/payouts/statements', { query: { limit: STATEMENTS_MAX }, signal }),
  );
  return (
    <Card title={t('statements.title')} note={t('statements.note')}>
      <Answered of={list}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={t('statements.none')} />
          ) : (
            <ul className="periods">
              {data.map(({ month, currency, earnings, pdf_url: url, is_final: isFinal }) => (
                <li key={`${month} ${currency}`}>
                  <a href={url}>{month}</a>
                  <span>{payoutMoney(earnings)}</span>
                  {!isFinal && <span className="muted small">{t('statements.running')}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}

export function Holds(): ReactElement {
  const list = useRead(['holds'], (api, signal) =>
    api.get('/v1/payouts/holds', { query: { limit: HOLDS_MAX }, signal }),
  );
  return (
    <Card title={t('holds.title')} note={t('holds.note')}>
      <Answered of={list}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={t('holds.none')} />
          ) : (
            <ul className="periods">
              {data.map(({ id, status, concerns, held, reversed, raised_at: at }) => (
                <li key={id}>
                  <Status of={status} group="hold" />
                  <span>{(status === 'upheld' ? reversed : held).map(payoutMoney).join(', ')}</span>
                  <span className="muted small">
                    {term('concern', concerns)}, {moment(at)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
