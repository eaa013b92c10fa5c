import { Webhook } from 'standardwebhooks';

/** The body of a webhook. @throws Error where the signature is wrong, or older than five minutes */
export function verifyWebhook(body: string, headers: Record<string, string>, secret: string) {
  return new Webhook(secret).verify(body, headers);
}
