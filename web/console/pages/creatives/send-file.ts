/** Sends a file to its signed address with progress, which fetch does not report for uploads. */
import { MarqueeError } from '@marquee/sdk';

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
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)));
    request.onerror = () => reject(new MarqueeError({ code: 'no_answer', status: 0, detail: 'It broke off.' }));
    request.send(file);
  });
}

function refusalOf({ responseText, status }: XMLHttpRequest): MarqueeError {
  try {
    const { code, detail } = JSON.parse(responseText) as { code: string; detail: string };
    return new MarqueeError({ code, status, detail });
  } catch {
    return new MarqueeError({ code: 'unreadable_answer', status, detail: `HTTP ${status}` }); // the page of a proxy
  }
}
