import { Conflict, Forbidden, NotFound } from "@leadloom/api/internal/errors"
import type {
  ContactExists,
  ContactMerged,
  ContactNotFound,
  IdentityInvalid
} from "@leadloom/core/internal/domain/contact/Contact"
import type {
  IdentityLimitReached,
  IdentityNotFound,
  IdentityNotReachable
} from "@leadloom/core/internal/domain/contact/ContactIdentity"
import type {
  MergeNotFound,
  MergeNotLatest,
  MergeUndone,
  MergeWithItself
} from "@leadloom/core/internal/domain/contact/ContactMerge"
import type { ContactNotMatched } from "@leadloom/core/internal/workflow/contact/FindContact"
import type {
  CustomFieldExists,
  CustomFieldInUse,
  CustomFieldInvalid,
  CustomFieldLimitReached,
  CustomFieldNotFound
} from "@leadloom/core/internal/domain/field/CustomField"
import type {
  CompanyDomainInvalid,
  CompanyDomainTaken,
  CompanyInUse,
  CompanyNotFound
} from "@leadloom/core/internal/domain/company/Company"
import type { SegmentLimitReached, SegmentNotFound } from "@leadloom/core/internal/domain/segment/Segment"
import type {
  ImportInvalid,
  ImportNotFound,
  ImportNotUndoable,
  ImportRunning
} from "@leadloom/core/internal/domain/import/ContactImport"
import type { FieldValueInvalid } from "@leadloom/core/internal/domain/field/FieldValues"
import type { ConsentProofMissing, OptOutDeclared } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { field } from "./Field.ts"

/** Maps errors about contacts to wire errors. */
export const contactErrors = {
  ContactNotFound: ({ contactId }: ContactNotFound) => NotFound.of(`There is no contact ${contactId}.`),
  ContactExists: ({ contactId, identity }: ContactExists) =>
    Conflict.of(`Another contact already has ${identity}. To join both contacts: POST …/contacts/merge`, {
      contact_id: contactId
    }),
  IdentityNotFound: ({ identityId }: IdentityNotFound) => NotFound.of(`The contact has no identity ${identityId}.`),
  IdentityLimitReached: ({ limit }: IdentityLimitReached) =>
    Conflict.of(`The contact has its maximum of ${limit} identities. Remove one first.`),
  IdentityNotReachable: ({ identityId }: IdentityNotReachable) =>
    field(
      "",
      `The identity ${identityId} cannot have this consent. Name an email address, or a phone number for messages and calls.`
    ),
  OptOutDeclared: (_: OptOutDeclared) =>
    Forbidden.of(
      "The contact itself has opted out. Only a manager can record a consent that lifts this opt-out; the contact can also send START."
    ),
  ConsentProofMissing: (_: ConsentProofMissing) =>
    field("proof", "A consent requires a proof, for example the words of the contact or the name of the form."),
  CustomFieldNotFound: ({ fieldId }: CustomFieldNotFound) => NotFound.of(`There is no custom field ${fieldId}.`),
  CustomFieldExists: ({ entity, key }: CustomFieldExists) =>
    Conflict.of(`The entity ${entity} already has a custom field ${key}. Choose another key.`),
  CustomFieldInUse: ({ key, rules }: CustomFieldInUse) =>
    Conflict.of(`Rules compare the custom field ${key}: ${rules.join(", ")}. Change these rules first.`, { rules }),
  CustomFieldLimitReached: ({ limit }: CustomFieldLimitReached) =>
    Conflict.of(`The entity has its maximum of ${limit} custom fields. Delete one first.`),
  CustomFieldInvalid: (error: CustomFieldInvalid) => field(error.field, error.reason),
  CompanyNotFound: ({ companyId }: CompanyNotFound) => NotFound.of(`There is no company ${companyId}.`),
  CompanyDomainTaken: ({ companyId, domain }: CompanyDomainTaken) =>
    Conflict.of(`Another company has the domain ${domain}.`, { company_id: companyId }),
  CompanyDomainInvalid: ({ reason }: CompanyDomainInvalid) => field("domain", reason),
  CompanyInUse: (_: CompanyInUse) =>
    Conflict.of("Contacts belong to the company. Remove them from it first: GET …/companies/{company_id}/contacts"),
  SegmentNotFound: ({ segmentId }: SegmentNotFound) => NotFound.of(`There is no segment ${segmentId}.`),
  SegmentLimitReached: ({ limit }: SegmentLimitReached) =>
    Conflict.of(`The tenant has its maximum of ${limit} segments. Delete one first.`),
  ImportNotFound: ({ importId }: ImportNotFound) => NotFound.of(`There is no import ${importId}.`),
  ImportInvalid: (error: ImportInvalid) => field(error.field, error.reason),
  ImportRunning: ({ importId }: ImportRunning) =>
    Conflict.of(`The import ${importId} is not done yet. Wait for its end.`, { import_id: importId }),
  ImportNotUndoable: ({ status }: ImportNotUndoable) =>
    Conflict.of(`Only a completed import can be undone. The state of this import is: ${status}.`, { status }),
  FieldValueInvalid: ({ key, reason }: FieldValueInvalid) => field(`custom_fields.${key}`, reason),
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
