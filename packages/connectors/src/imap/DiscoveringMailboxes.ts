import { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Effect, Layer } from "effect"
import { verifySmtp } from "../smtp/VerifySmtp.ts"
import { discoverServers } from "./discovery/DiscoverServers.ts"
import type { MailHostOptions } from "./MailHost.ts"
import { openMailbox } from "./OpenMailbox.ts"

/** Reads mailboxes over IMAP, verifies their logins, and finds the servers of an address. */
export const layer = (options: MailHostOptions): Layer.Layer<Mailboxes, never, Egress> =>
  Layer.effect(
    Mailboxes,
    Effect.map(Egress, (egress) => {
      const open: Mailboxes["Service"]["open"] = (login) => openMailbox(login, options)
      return Mailboxes.of({
        open,
        verify: (login) => Effect.andThen(Effect.scoped(open(login)), verifySmtp(login, options)),
        discover: (email) => discoverServers(email, { egress })
      })
    })
  )
