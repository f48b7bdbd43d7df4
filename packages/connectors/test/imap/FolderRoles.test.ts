import { assert, describe, it } from "vitest"
import { assignRoles, type FolderEntry } from "../../src/imap/FolderRoles.ts"

const entry = (path: string, ...flags: ReadonlyArray<string>): FolderEntry => {
  const parent = path.split("/")
  const name = parent.pop() ?? ""
  return { path, name, parent, flags: new Set(flags) }
}

const rolesOf = (...entries: ReadonlyArray<FolderEntry>): Readonly<Record<string, string>> =>
  Object.fromEntries(assignRoles(entries).map(({ path, role }) => [path, role]))

describe("the roles of folders", () => {
  it("follow the attributes of Gmail, where all mail contains the archive", () => {
    const found = rolesOf(
      entry("INBOX"),
      entry("[Gmail]", "\\Noselect"),
      entry("[Gmail]/Alle Nachrichten", "\\All"),
      entry("[Gmail]/Entwürfe", "\\Drafts"),
      entry("[Gmail]/Gesendet", "\\Sent"),
      entry("[Gmail]/Markiert", "\\Flagged"),
      entry("[Gmail]/Papierkorb", "\\Trash"),
      entry("[Gmail]/Spam", "\\Junk"),
      entry("[Gmail]/Wichtig", "\\Important"),
      entry("Kunden")
    )
    assert.deepStrictEqual(found, {
      INBOX: "inbox",
      "[Gmail]/Alle Nachrichten": "archive",
      "[Gmail]/Entwürfe": "ignored",
      "[Gmail]/Gesendet": "sent",
      "[Gmail]/Markiert": "ignored",
      "[Gmail]/Papierkorb": "ignored",
      "[Gmail]/Spam": "ignored",
      "[Gmail]/Wichtig": "ignored",
      Kunden: "other"
    })
  })
  it("ignore all mail when there is an archive, and folders that cannot be opened", () => {
    const found = rolesOf(
      entry("inbox"),
      entry("All", "\\All"),
      entry("Ablage", "\\Archive"),
      entry("Shared", "\\Noselect"),
      entry("Old", "\\NonExistent")
    )
    assert.deepStrictEqual(found, { inbox: "inbox", All: "ignored", Ablage: "archive" })
  })
  const sent = [
    "Sent",
    "Sent Items",
    "Gesendet",
    "Gesendete Elemente",
    "Envoyés",
    "Éléments envoyés",
    "Enviados",
    "Inviata",
    "Posta inviata",
    "Verzonden",
    "Skickat",
    "Wysłane",
    "Отправленные",
    "送信済み",
    "已发送",
    "보낸 편지함"
  ]
  for (const name of sent) {
    it(`are found by name without attributes: ${name} is sent`, () => {
      assert.deepStrictEqual(rolesOf(entry("INBOX"), entry(name)), { INBOX: "inbox", [name]: "sent" })
    })
  }
  it("are found by name below INBOX, and for spam, trash and drafts", () => {
    const found = rolesOf(
      entry("INBOX"),
      entry("INBOX/Gesendet"),
      entry("Papierkorb"),
      entry("Spam"),
      entry("Brouillons"),
      entry("Archiv"),
      entry("Kunden/Papierkorb")
    )
    assert.deepStrictEqual(found, {
      INBOX: "inbox",
      "INBOX/Gesendet": "sent",
      Papierkorb: "ignored",
      Spam: "ignored",
      Brouillons: "ignored",
      Archiv: "archive",
      "Kunden/Papierkorb": "other"
    })
  })
  it("follow an attribute before a name", () => {
    const found = rolesOf(entry("INBOX"), entry("Out", "\\Sent"), entry("Sent"), entry("Spam"))
    assert.deepStrictEqual(found, { INBOX: "inbox", Out: "sent", Sent: "other", Spam: "ignored" })
  })
})
