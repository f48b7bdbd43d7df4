import { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Effect, Layer } from "effect"
import { verifySmtp } from "./smtp/VerifySmtp.ts"
import { discoverServers } from "./imap/discovery/DiscoverServers.ts"
import type { MailDns } from "./imap/discovery/MailDns.ts"
import { type ImapOptions, openMailbox, verifyImap } from "./imap/OpenMailbox.ts"

/** Options of the access to mailboxes. */
export interface MailboxesOptions extends ImapOptions {
  /** The DNS queries of discovery. Default: the name servers of this machine. */
  readonly dns?: MailDns
}

/** Reads mailboxes over IMAP, verifies their logins, and finds the servers of an address. */
export const layer = (options: MailboxesOptions): Layer.Layer<Mailboxes, never, Egress> =>
  Layer.effect(
    Mailboxes,
    Effect.map(Egress, (egress) => {
      const { dns } = options
      const verifyIncoming = verifyImap(options)
      return Mailboxes.of({
        open: openMailbox(options),
        verify: (login) => Effect.andThen(verifyIncoming(login), verifySmtp(login, options)),
        discover: (email) => discoverServers(email, { egress, ...(dns === undefined ? {} : { dns }) })
      })
    })
  )
