import { describe, expect, it } from "vitest"
import { folderOf } from "../../../src/domain/privacy/PersonalDataTable.ts"
import { inventoryByName } from "../../../src/domain/privacy/DataInventory.ts"
import { newTotals } from "../../../src/domain/privacy/Totals.ts"

describe("the manifest of an archive", () => {
  it("contains the folders of version 1 of the format, independent of the table names", () => {
    const { folders } = newTotals("objects").manifest()
    // FROZEN: existing archives and their hashes contain these names.
    expect(Object.keys(Object(folders)).toSorted()).toEqual([
      "activities",
      "blocked_numbers",
      "calls",
      "contact_digests",
      "contact_tags",
      "contacts",
      "conversation_aliases",
      "conversation_tags",
      "conversations",
      "dedup_keys",
      "drafts",
      "guard_evaluations",
      "identities",
      "lead_scores",
      "leads",
      "merge_suggestions",
      "messages",
      "objects",
      "opt_outs",
      "runs",
      "tasks",
      "thread_ids",
      "thread_participants",
      "threads",
      "undeliverable"
    ])
  })

  it("contains the folders of later tables only if they have rows", () => {
    const totals = newTotals("objects")
    totals.add("notes", "hash of a note")
    const { folders } = totals.manifest()
    expect(Object.keys(Object(folders))).toContain("notes")
    expect(Object.keys(Object(folders))).not.toContain("companies")
  })

  it("keeps the former folder name of the contact list, which existing hashes contain", () => {
    expect(folderOf(inventoryByName.contact_list)).toBe("contact_digests")
    expect(folderOf(inventoryByName.contacts)).toBe("contacts")
  })
})
