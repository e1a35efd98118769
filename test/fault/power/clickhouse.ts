/**
 * ClickHouse alone on the folder of its argument, as `npm start` keeps it there. The tests of power start it as a
 * process.
 */
import { clickHouseUrl, launchClickHouse, planClickHouse } from '../../../engines/clickhouse/start.ts';

const plan = await planClickHouse({ dataDir: process.argv[2]!, port: 0, analystPassword: 'analyst-of-tests' });
const child = await launchClickHouse(plan);
child.once('exit', () => process.exit(1));
process.stdout.write(`${JSON.stringify({ event: 'ready', url: clickHouseUrl(plan, 'default') })}\n`);
