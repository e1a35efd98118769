/** The answer to an upload, as a TypeBox schema. */
import { Type, type Static } from 'typebox';

export const ReceivedUpload = Type.Object({
  id: Type.String({ description: 'cre_... or ast_...' }),
  status: Type.String({ description: '`awaiting_upload`: the file is here and will be checked.' }),
  sha256: Type.String({ description: 'Hex SHA-256 of the file.' }),
  bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
});
export type UploadReceived = Static<typeof ReceivedUpload>;
