/** Records of the work of people: users, teams, custom fields, notes and comments. Other records are in `Records.ts`. */
import type { Company } from "@leadloom/core/internal/domain/company/Company"
import type { CustomField } from "@leadloom/core/internal/domain/field/CustomField"
import type { Note } from "@leadloom/core/internal/domain/note/Note"
import type { TaskComment } from "@leadloom/core/internal/domain/task/TaskComment"
import type { Team } from "@leadloom/core/internal/domain/user/Team"
import type { User } from "@leadloom/core/internal/domain/user/User"
import { idOf, noon } from "./Records.ts"

export const userRecord = (tenantId: string, number: number, changes: Partial<User> = {}): User => ({
  userId: idOf("usr", number),
  tenantId,
  name: `Agent ${number}`,
  email: `agent.${number}@business.example`,
  role: "agent",
  active: true,
  workingHours: null,
  timeZone: null,
  signature: null,
  subject: null,
  createdAt: noon + number,
  updatedAt: noon + number,
  ...changes
})

export const teamRecord = (tenantId: string, number: number, changes: Partial<Team> = {}): Team => ({
  teamId: idOf("team", number),
  tenantId,
  name: `Team ${number}`,
  memberIds: [],
  lastAssignedId: null,
  createdAt: noon + number,
  updatedAt: noon + number,
  ...changes
})

export const fieldRecord = (tenantId: string, number: number, changes: Partial<CustomField> = {}): CustomField => ({
  fieldId: idOf("fld", number),
  tenantId,
  entity: "contact",
  key: `field_${number}`,
  label: `Feld "${number}" 👋`,
  type: "text",
  options: [],
  required: false,
  createdAt: noon + number,
  updatedAt: noon + number,
  ...changes
})

export const noteRecord = (tenantId: string, number: number, changes: Partial<Note> = {}): Note => ({
  noteId: idOf("note", number),
  tenantId,
  contactId: idOf("con", 1),
  authorId: null,
  author: "user:kim",
  body: `Prefers calls. "Really" ${number}`,
  mentions: [idOf("usr", 1)],
  teamMentions: [],
  createdAt: noon + number,
  updatedAt: noon + number,
  ...changes
})

export const companyRecord = (tenantId: string, number: number, changes: Partial<Company> = {}): Company => ({
  companyId: idOf("cmp", number),
  tenantId,
  name: `Company ${number}`,
  domain: null,
  notes: null,
  customFields: {},
  createdAt: noon + number,
  updatedAt: noon + number,
  ...changes
})

export const taskCommentRecord = (
  tenantId: string,
  number: number,
  changes: Partial<TaskComment> = {}
): TaskComment => ({
  commentId: idOf("cmt", number),
  tenantId,
  taskId: idOf("task", number),
  authorId: null,
  author: "user:kim",
  body: "Nobody answers.",
  createdAt: noon + number,
  ...changes
})
