/**
 * A service that is warned as it starts: by Node, by a library, and by the SDK of AWS, which says what it thinks of old
 * versions of Node. `warnings.test.ts` starts it and reads what it prints.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { readConfig } from '../../runtime/config.ts';
import { processVariables, runService } from '../../runtime/lifecycle.ts';

await runService({
  name: 'warned',
  readConfiguration: environment => readConfig(processVariables(), environment),
  start: async () => {
    process.emitWarning('a thing is old\nand over two lines', 'DeprecationWarning', 'DEP_TEST');
    new S3Client({ region: 'eu-central-1' }).destroy();
    await new Promise(resolve => {
      setTimeout(resolve, 50);
    }); // warnings are emitted in a later turn
    return { close: async () => undefined };
  },
});
