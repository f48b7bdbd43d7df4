import { Effect } from "effect"
import {
  isStorableName,
  type ListedFolder,
  type MailboxFolder,
  maxFolderNameLength,
  readFolders
} from "../../../domain/mailbox/Folder.ts"
import { MailboxSyncs } from "../../../port/repository/conversation/MailboxSyncs.ts"
import { withSpan } from "../../WithSpan.ts"
import type { OpenMailbox } from "./OpenMailbox.ts"
import { syncFolder } from "./SyncFolder.ts"

/** The result of one look into all folders. */
export interface MailboxLook {
  /** The inbox, or the first folder without one; null for a mailbox without folders. */
  readonly inbox: ListedFolder | null
  /** Whether mail remains to be read. */
  readonly isBehind: boolean
  /** The problem of the first folder that cannot be read; null if there is none. */
  readonly problem: string | null
}

/**
 * Looks into one folder. A folder that the server refuses to open does not stop the others: the result names its
 * problem. A folder that was deleted, renamed or renumbered meanwhile is read at the next look.
 */
const lookInto = (box: OpenMailbox, listed: ListedFolder, stored: MailboxFolder | null) =>
  syncFolder(box, listed, stored).pipe(
    Effect.map(({ isBehind }) => ({ isBehind, problem: null as string | null })),
    Effect.catchReasons("ProviderFailure", {
      Gone: () => Effect.succeed({ isBehind: false, problem: null }),
      Refused: ({ detail }) => Effect.succeed({ isBehind: false, problem: `folder ${listed.path}: ${detail}` })
    })
  )

const badName = `A folder has a name of more than ${maxFolderNameLength} characters or with control characters. Rename the folder.`

/** Looks into one folder again, and returns whether mail remains to be read. */
export const lookAgain = Effect.fnUntraced(function* (box: OpenMailbox, listed: ListedFolder) {
  const { grantId, tenantId } = box.sync
  const stored = yield* (yield* MailboxSyncs).folders(tenantId, grantId)
  const { isBehind } = yield* lookInto(box, listed, stored.find(({ path }) => path === listed.path) ?? null)
  return isBehind
})

/** Looks into all folders of a mailbox, and forgets folders that no longer exist. */
export const syncMailbox = Effect.fnUntraced(function* (box: OpenMailbox) {
  const syncs = yield* MailboxSyncs
  const { grantId, tenantId } = box.sync
  const found = readFolders(yield* box.connection.folders)
  const listed = found.filter(({ path }) => isStorableName(path))
  const stored = new Map((yield* syncs.folders(tenantId, grantId)).map((folder) => [folder.path, folder]))
  const paths = new Set(listed.map(({ path }) => path))
  for (const path of stored.keys()) if (!paths.has(path)) yield* syncs.removeFolder(box.sync, path)
  const looks = yield* Effect.forEach(listed, (folder) => lookInto(box, folder, stored.get(folder.path) ?? null))
  const look: MailboxLook = {
    inbox: listed.find(({ role }) => role === "inbox") ?? listed[0] ?? null,
    isBehind: looks.some(({ isBehind }) => isBehind),
    problem: looks.find(({ problem }) => problem !== null)?.problem ?? (listed.length < found.length ? badName : null)
  }
  return look
}, withSpan("syncMailbox"))
