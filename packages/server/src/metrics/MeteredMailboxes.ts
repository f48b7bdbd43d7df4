import { Mailboxes, type MailboxConnection } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect } from "effect"
import type { Meter } from "./Meter.ts"

/** Counts the downloads of a connection. */
const counted = ({ mailboxDownloads }: Meter, connection: MailboxConnection): MailboxConnection => ({
  ...connection,
  fetch: (folder, uid, maxBytes) =>
    connection.fetch(folder, uid, maxBytes).pipe(
      Effect.tap(() => Effect.sync(() => mailboxDownloads({ outcome: "done" }))),
      Effect.tapError(() => Effect.sync(() => mailboxDownloads({ outcome: "failed" })))
    ),
  fetchSmall: (folder, uids, maxBytes) =>
    connection.fetchSmall(folder, uids, maxBytes).pipe(
      Effect.tap((found) =>
        Effect.sync(() => {
          for (const _ of found) mailboxDownloads({ outcome: "done" })
        })
      ),
      Effect.tapError(() => Effect.sync(() => mailboxDownloads({ outcome: "failed" })))
    )
})

/** Returns the port `Mailboxes`, whose open connections and downloads are counted. */
export const countMailboxes = (meter: Meter, port: Mailboxes["Service"]) => {
  let connected = 0
  const change = (by: number) =>
    Effect.sync(() => {
      connected += by
      meter.mailboxesConnected({}, connected)
    })
  meter.mailboxesConnected({}, 0)
  return Mailboxes.of({
    ...port,
    open: (login) =>
      Effect.map(
        Effect.tap(port.open(login), () => Effect.acquireRelease(change(1), () => change(-1))),
        (connection) => counted(meter, connection)
      )
  })
}
