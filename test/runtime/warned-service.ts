/**
 * A service that is warned as it starts: by Node, by a library, and by the SDK of AWS, which says what it thinks of old
 * versions of Node. `warnings.test.ts` starts it and reads what it prints.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { runService } from '../../runtime/lifecycle.ts';
import { createLog } from '../../runtime/log.ts';

await runService({
  name: 'warned',
  log: createLog('warned', 'info'),
  opsPort: 0,
  opsHost: '127.0.0.1',
  start: async () => {
    process.emitWarning('a thing is old\nand over two lines', 'DeprecationWarning', 'DEP_TEST');
    new S3Client({ region: 'eu-central-1' }).destroy();
    await new Promise(resolve => {
      setTimeout(resolve, 50);
    }); // warnings are told in a later turn
    return { close: async () => undefined };
  },
});
