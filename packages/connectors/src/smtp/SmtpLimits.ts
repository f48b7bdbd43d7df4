/** How much of everything a mail server takes. */
export interface SmtpLimits {
  /** Of one mail; announced as SIZE (RFC 1870). */
  readonly mailBytes: number
  /** Of the header of one mail. */
  readonly headerBytes: number
  /** Of all mails that are on their way in at once: what the listener holds in memory. */
  readonly heldBytes: number
  /** Of one mail (RFC 5321 section 4.5.3.1.8). */
  readonly recipients: number
  /** Recipients of one connection that nobody here knows: who asks for more is guessing. */
  readonly refusals: number
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Of silence, before a connection is closed (RFC 5321 section 4.5.3.2.7). */
  readonly idleMillis: number
  /** From DATA to the end of the mail. */
  readonly dataMillis: number
  readonly connectionMillis: number
  /** Until the end, for what is being received when the server stops. */
  readonly stopMillis: number
}

/** What a server takes that is not told otherwise. */
export const usualLimits: SmtpLimits = {
  mailBytes: 25 * 1024 * 1024,
  headerBytes: 512 * 1024,
  heldBytes: 128 * 1024 * 1024,
  recipients: 100,
  refusals: 100,
  connections: 200,
  connectionsPerAddress: 50,
  idleMillis: 300_000,
  dataMillis: 600_000,
  connectionMillis: 3_600_000,
  stopMillis: 20_000
}
