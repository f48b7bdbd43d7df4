import { Context, Effect, Layer, type Scope } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { FolderStatus, ListedFolder } from "../../domain/mailbox/Folder.ts"
import type { MailboxLogin, MailServer } from "../../domain/mailbox/MailServer.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"

/**
 * The reason why a login failed. `refused_host`: the operator does not permit this host. `unreachable`: no connection.
 * `tls`: no valid TLS connection. `login`: wrong username or password. `app_password`: the provider demands an app
 * password or OAuth. `disabled`: the provider has switched IMAP or SMTP off for the account. `unavailable`: the server
 * accepts no login at present, for example because of too many connections; a later attempt may succeed. `protocol`: the
 * server does not speak the protocol.
 */
export type LoginProblem =
  | "refused_host"
  | "unreachable"
  | "tls"
  | "login"
  | "app_password"
  | "disabled"
  | "unavailable"
  | "protocol"

/** A login to one of the servers of a mailbox failed. `detail` quotes the server's response. */
export class MailboxLoginFailed extends TaggedError("MailboxLoginFailed")<{
  readonly server: "imap" | "smtp"
  readonly problem: LoginProblem
  readonly detail: string
  /** The delay before the next attempt that the server demands, in milliseconds. Absent when it demands none. */
  readonly retryAfterMillis?: number
}> {}

/** One mail in a list. */
export interface ListedMail {
  readonly uid: number
  /** The time of arrival (INTERNALDATE), in epoch milliseconds. */
  readonly receivedAt: number
  readonly bytes: number
}

/** A range of UIDs, both ends included. */
export interface UidRange {
  readonly from: number
  readonly to: number
}

/** An open connection to the IMAP server of a mailbox. Its methods must not run concurrently, except `close`. */
export interface MailboxConnection {
  /** Lists the folders. Fails with `Refused` when there are more than `maxFolders`. */
  readonly folders: Effect.Effect<ReadonlyArray<ListedFolder>, ProviderFailure>
  readonly status: (path: string) => Effect.Effect<FolderStatus, ProviderFailure>
  /**
   * Lists the mails of a folder with a UID in the range that arrived at `since` or later, in ascending order. Fails with
   * `Gone` when the folder has another UIDVALIDITY or no longer exists.
   */
  readonly list: (
    folder: { readonly path: string; readonly uidValidity: string },
    range: UidRange,
    since: number
  ) => Effect.Effect<ReadonlyArray<ListedMail>, ProviderFailure>
  /**
   * Returns the bytes of a mail, without setting `\Seen`. Returns null when the mail no longer exists. Reads at most
   * `maxBytes`; a larger mail is truncated.
   */
  readonly fetch: (
    folder: { readonly path: string; readonly uidValidity: string },
    uid: number,
    maxBytes: number
  ) => Effect.Effect<Uint8Array | null, ProviderFailure>
  /**
   * Returns the bytes of several small mails by UID, in one round trip and without setting `\Seen`. Reads at most
   * `maxBytes` of each mail; a larger one is truncated. The result lacks mails that no longer exist or that the server
   * leaves out.
   */
  readonly fetchSmall: (
    folder: { readonly path: string; readonly uidValidity: string },
    uids: ReadonlyArray<number>,
    maxBytes: number
  ) => Effect.Effect<ReadonlyMap<number, Uint8Array>, ProviderFailure>
  /** Stores a mail in a folder with `\Seen` (APPEND). */
  readonly append: (path: string, raw: Uint8Array) => Effect.Effect<void, ProviderFailure>
  /** Returns whether a folder contains a mail with this Message-ID (without angle brackets). */
  readonly contains: (path: string, internetMessageId: string) => Effect.Effect<boolean, ProviderFailure>
  /** Adds flags to a mail, found by its Message-ID in the folder. Has no effect when the folder has no such mail. */
  readonly addFlags: (
    path: string,
    internetMessageId: string,
    flags: ReadonlyArray<"\\Seen" | "\\Answered">
  ) => Effect.Effect<void, ProviderFailure>
  /**
   * Completes when the server reports a change in the folder (IDLE, RFC 2177), or after `maxWaitMillis`. Without IDLE it
   * only waits. Fails when the connection has ended.
   */
  readonly wait: (path: string, maxWaitMillis: number) => Effect.Effect<void, ProviderFailure>
}

/** The suggested servers of an address. */
export interface DiscoveredServers {
  readonly imap: MailServer
  readonly smtp: MailServer
  readonly username: string
  /** The origin of the suggestion, for people: for example `DNS SRV records (RFC 6186)`. */
  readonly origin: string
}

/** Mailboxes at any IMAP server. */
export class Mailboxes extends Context.Service<
  Mailboxes,
  {
    /** Opens a connection and logs in. The connection closes with its scope. */
    readonly open: (login: MailboxLogin) => Effect.Effect<MailboxConnection, MailboxLoginFailed, Scope.Scope>
    /** Logs in to the IMAP server and to the SMTP server, and closes both connections. */
    readonly verify: (login: MailboxLogin) => Effect.Effect<void, MailboxLoginFailed>
    /** Returns the servers of an address, or null when none was found. Requests the network within a fixed time. */
    readonly discover: (email: string) => Effect.Effect<DiscoveredServers | null>
  }
>()("core/port/provider/Mailboxes") {
  /** Reaches no server: every login fails, and nothing is discovered. */
  static readonly layerNone: Layer.Layer<Mailboxes> = Layer.sync(Mailboxes, () => {
    const failed = new MailboxLoginFailed({ server: "imap", problem: "unreachable", detail: "No server is reachable." })
    return Mailboxes.of({
      open: () => Effect.fail(failed),
      verify: () => Effect.fail(failed),
      discover: () => Effect.succeed(null)
    })
  })
}
