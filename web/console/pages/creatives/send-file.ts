/** Sends a file to its signed address and says how far it is: fetch cannot say that of what it sends. */
export type SendFileOptions = {
  url: string;
  file: File;
  contentType: string;
  /** Called with the share that was sent, 0 to 1. */
  onProgress: (share: number) => void;
};

export function sendFile({ url, file, contentType, onProgress }: SendFileOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = event => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => (request.status < 300 ? resolve() : reject(new Error(detailOf(request))));
    request.onerror = () => reject(new Error('The connection broke off.'));
    request.send(file);
  });
}

/** What a refused upload says for people. */
function detailOf({ responseText, status }: XMLHttpRequest): string {
  try {
    return (JSON.parse(responseText) as { detail: string }).detail;
  } catch {
    return `HTTP ${status}`; // the page of a proxy
  }
}
