/**
 * Limits of the mail listener. The names in brackets are those of the Postfix parameters that limit the same. What a
 * limit refuses is answered 4xx, so that the sender retries.
 */
export interface SmtpLimits {
  /** Bytes of one mail; announced as SIZE (RFC 1870, message_size_limit). */
  readonly mailBytes: number
  /** Bytes of the header of one mail (header_size_limit). */
  readonly headerBytes: number
  /** Bytes of one mail that stay in memory while it arrives. The rest goes to a temporary file. */
  readonly memoryBytes: number
  /** Bytes of all mails in flight, in memory and in temporary files: on their way in, or waiting to be stored. */
  readonly spoolBytes: number
  /** Bytes in flight from one client network, an IPv4 /24 or an IPv6 /64. */
  readonly spoolBytesPerNetwork: number
  /** Bytes in flight to one tenant. */
  readonly spoolBytesPerTenant: number
  /** Bytes of mails that are parsed and stored at once. Others wait for their turn. */
  readonly storingBytes: number
  /** Recipients of one mail (RFC 5321 section 4.5.3.1.8, smtpd_recipient_limit). */
  readonly recipients: number
  /** Unknown recipients of one connection: a client that names more is guessing (smtpd_hard_error_limit). */
  readonly refusals: number
  /** Connections at once (smtpd process limit). */
  readonly connections: number
  /** Connections of one client network at once (smtpd_client_connection_count_limit). */
  readonly connectionsPerNetwork: number
  /** Mails that arrive for one tenant at once. */
  readonly mailsPerTenant: number
  /** Mails to one tenant in a minute (smtpd_client_message_rate_limit, for a recipient). */
  readonly mailsPerMinutePerTenant: number
  /** Milliseconds of silence before a connection is closed (RFC 5321 section 4.5.3.2.7, smtpd_timeout). */
  readonly idleMillis: number
  /**
   * Seconds without a mail after which a connection may be closed when the listener is full. A connection counts from
   * its begin or from its last mail, whatever commands it sends (smtpd_timeout under stress).
   */
  readonly stressIdleSeconds: number
  /** Bytes a second that the data of a mail has to arrive with, averaged over `dataRateSeconds` (smtpd_min_data_rate). */
  readonly minDataRate: number
  /** The same while more than half of `spoolBytes` is in use. */
  readonly stressMinDataRate: number
  readonly dataRateSeconds: number
  /** Milliseconds from DATA to the end of the mail. */
  readonly dataMillis: number
  readonly connectionMillis: number
  /** Milliseconds until the end, for mails that are being received when the server stops. */
  readonly stopMillis: number
}

const mebibyte = 1_048_576

/** The limits of a listener that is configured with no others. */
export const defaultLimits: SmtpLimits = {
  mailBytes: 25 * mebibyte,
  headerBytes: 512 * 1024,
  memoryBytes: 64 * 1024,
  spoolBytes: 2_048 * mebibyte,
  spoolBytesPerNetwork: 256 * mebibyte,
  spoolBytesPerTenant: 512 * mebibyte,
  storingBytes: 128 * mebibyte,
  recipients: 100,
  refusals: 100,
  connections: 500,
  connectionsPerNetwork: 50,
  mailsPerTenant: 200,
  mailsPerMinutePerTenant: 1_000,
  idleMillis: 300_000,
  stressIdleSeconds: 10,
  minDataRate: 500,
  stressMinDataRate: 10_000,
  dataRateSeconds: 30,
  dataMillis: 600_000,
  connectionMillis: 3_600_000,
  stopMillis: 20_000
}
