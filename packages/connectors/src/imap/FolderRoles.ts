import type { FolderRole, ListedFolder } from "@leadloom/core/internal/domain/mailbox/Folder"
import { specialUse } from "imapflow/lib/special-use.js"

/** One entry of LIST. */
export interface FolderEntry {
  readonly path: string
  readonly name: string
  /** The names of the folders above, from the root. */
  readonly parent: ReadonlyArray<string>
  readonly flags: ReadonlySet<string>
}

/** The special-use attributes (RFC 6154, section 2; `\Important`: RFC 8457). */
const attributes = [
  "\\Archive",
  "\\Sent",
  "\\Drafts",
  "\\Junk",
  "\\Trash",
  "\\All",
  "\\Flagged",
  "\\Important"
] as const

type SpecialUse = (typeof attributes)[number]

const isSpecialUse = (flag: string): flag is SpecialUse => attributes.some((each) => each === flag)

const isInbox = (path: string): boolean => path.toUpperCase() === "INBOX"

/** Some servers keep all folders below INBOX or a folder of the provider. */
const roots = new Set(["INBOX", "[GMAIL]", "[GOOGLE MAIL]"])

const isTop = ({ parent: [first, ...more] }: FolderEntry): boolean =>
  first === undefined || (more.length === 0 && roots.has(first.toUpperCase()))

const attributeOf = ({ flags }: FolderEntry): SpecialUse | null => attributes.find((each) => flags.has(each)) ?? null

/** Returns the purpose that the name of a folder means in one of many languages, from the tables of `imapflow`. */
const namedUse = (entry: FolderEntry): SpecialUse | null => {
  if (!isTop(entry)) return null
  const { flag } = specialUse(false, { name: entry.name, flags: new Set() })
  return flag !== null && isSpecialUse(flag) ? flag : null
}

const roleOf = (use: SpecialUse | null, hasArchive: boolean): FolderRole => {
  if (use === null) return "other"
  if (use === "\\Sent") return "sent"
  if (use === "\\Archive") return "archive"
  // All mail of Gmail contains the archived mails, which are in no other folder.
  return use === "\\All" && !hasArchive ? "archive" : "ignored"
}

/**
 * Returns the folders that can be opened, with their roles. The attributes of the server decide. A name decides only
 * about a purpose for which no folder has the attribute.
 */
export const assignRoles = (entries: ReadonlyArray<FolderEntry>): ReadonlyArray<ListedFolder> => {
  const shown = entries.filter(
    ({ flags, path }) => path !== "" && !flags.has("\\Noselect") && !flags.has("\\NonExistent")
  )
  const known = new Set(shown.map(attributeOf))
  const uses = shown.map((entry) => {
    const named = attributeOf(entry) ?? namedUse(entry)
    return attributeOf(entry) === null && known.has(named) ? null : named
  })
  const hasArchive = uses.includes("\\Archive")
  return shown.map((entry, index) => ({
    path: entry.path,
    role: isInbox(entry.path) || entry.flags.has("\\Inbox") ? "inbox" : roleOf(uses[index] ?? null, hasArchive)
  }))
}
