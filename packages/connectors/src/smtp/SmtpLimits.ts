/**
 * Limits of the mail listener. The names in brackets are the corresponding Postfix parameters. Most limits refuse with
 * a 4xx code, after which the sender retries.
 */
export interface SmtpLimits {
  /** The maximum size of one mail in bytes; announced as SIZE (RFC 1870, message_size_limit). */
  readonly mailBytes: number
  /** The maximum size of the header of one mail in bytes (header_size_limit). */
  readonly headerBytes: number
  /** The bytes of one incoming mail that stay in memory. The rest goes to a temporary file. */
  readonly memoryBytes: number
  /**
   * The maximum total size in bytes of all mails that are being received or wait to be stored, in memory and in
   * temporary files.
   */
  readonly spoolBytes: number
  /** The part of `spoolBytes` that one client network, an IPv4 /24 or an IPv6 /64, may use. */
  readonly spoolBytesPerNetwork: number
  /** The part of `spoolBytes` that mails to one tenant may use. */
  readonly spoolBytesPerTenant: number
  /** The maximum total size in bytes of the mails that are parsed and stored at the same time. Further mails wait. */
  readonly storingBytes: number
  /** The maximum number of recipients of one mail (RFC 5321 section 4.5.3.1.8, smtpd_recipient_limit). */
  readonly recipients: number
  /**
   * The maximum number of unknown recipients per connection. A client that exceeds it is guessing addresses
   * (smtpd_hard_error_limit).
   */
  readonly refusals: number
  /** The maximum number of concurrent connections (smtpd process limit). */
  readonly connections: number
  /** The maximum number of concurrent connections of one client network (smtpd_client_connection_count_limit). */
  readonly connectionsPerNetwork: number
  /** The maximum number of concurrent incoming mails of one tenant. */
  readonly mailsPerTenant: number
  /** The maximum number of mails to one tenant per minute (like smtpd_client_message_rate_limit, but per recipient). */
  readonly mailsPerMinutePerTenant: number
  /** The idle time in milliseconds after which a connection is closed (RFC 5321 section 4.5.3.2.7, smtpd_timeout). */
  readonly idleMillis: number
  /**
   * The idle time in seconds after which a connection may be closed when the listener is full (smtpd_timeout under
   * stress). Only a received mail restarts this time; other commands do not.
   */
  readonly stressIdleSeconds: number
  /** The minimum data rate of a mail in bytes per second, averaged over `dataRateSeconds` (smtpd_min_data_rate). */
  readonly minDataRate: number
  /**
   * The minimum data rate under load, which means that more than half of `spoolBytes` or all connections are in use.
   */
  readonly stressMinDataRate: number
  readonly dataRateSeconds: number
  /** The maximum time from DATA to the end of the mail in milliseconds. */
  readonly dataMillis: number
  readonly connectionMillis: number
  /** The time in milliseconds for incoming mails to finish when the server stops. */
  readonly stopMillis: number
}

const mebibyte = 1_048_576

/** The default limits of a listener. */
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
