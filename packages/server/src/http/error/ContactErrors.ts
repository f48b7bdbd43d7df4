import { Conflict, NotFound } from "@leadloom/api/internal/errors"
import type {
  ContactExists,
  ContactMerged,
  ContactNotFound,
  IdentityInvalid
} from "@leadloom/core/internal/domain/contact/Contact"
import type {
  MergeNotFound,
  MergeNotLatest,
  MergeUndone,
  MergeWithItself
} from "@leadloom/core/internal/domain/contact/ContactMerge"
import type { ContactNotMatched } from "@leadloom/core/internal/workflow/contact/FindContact"
import { field } from "./Field.ts"

/** Maps errors about contacts to wire errors. */
export const contactErrors = {
  ContactNotFound: ({ contactId }: ContactNotFound) => NotFound.of(`There is no contact ${contactId}.`),
  ContactExists: ({ contactId, identity }: ContactExists) =>
    Conflict.of(`Another contact already has ${identity}.`, { contact_id: contactId }),
  IdentityInvalid: (error: IdentityInvalid) => field(error.field, error.reason),
  ContactMerged: ({ contactId, mergedInto }: ContactMerged) =>
    NotFound.of(`${contactId} was merged into ${mergedInto}. Use that contact, or undo the merge first.`, [
      { path: "contact_id", message: `Merged into ${mergedInto}` }
    ]),
  ContactNotMatched: ({ requested }: ContactNotMatched) =>
    NotFound.of(`No contact has ${requested.join(" or ")}. Send "create": true to create one.`),
  MergeWithItself: (_: MergeWithItself) =>
    field("duplicate_contact_id", "A contact cannot be merged with itself. Name two contacts."),
  MergeNotFound: ({ mergeId }: MergeNotFound) => NotFound.of(`There is no merge ${mergeId}.`),
  MergeUndone: ({ mergeId }: MergeUndone) => Conflict.of(`The merge ${mergeId} is already undone.`),
  MergeNotLatest: ({ mergeId, undoFirst }: MergeNotLatest) =>
    Conflict.of(`The merge ${mergeId} is not the latest one. Undo ${undoFirst} first.`, { undo_first: undoFirst })
} as const
