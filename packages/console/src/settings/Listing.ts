/**
 * The settings of a tenant. A list is a description (`Listing`), and one page shows all of them. Tests:
 * `packages/console/test/settings`.
 */
import type { Connection } from "../app/Connection.ts"
import type { Operation } from "../app/PermittedOperations.ts"
import type { RowPage } from "../app/Rows.tsx"
import type { Column } from "../component/Table.tsx"

/** A field of the form of an action. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type?: "text" | "email" | "tel" | "url" | "number" | "time" | "textarea"
  /** The shown names of the permitted values. Without them, the field is a text. */
  readonly options?: Readonly<Record<string, string>>
  /** Permits several options, or none. The value contains the selected ones, one per line. */
  readonly isMultiple?: boolean
  readonly initial?: string
  readonly isRequired?: boolean
  readonly hint?: string
  /** Shows the field only while another field has one of these values. A hidden field has no value. */
  readonly onlyFor?: { readonly field: string; readonly values: ReadonlyArray<string> } | undefined
}

/** The values of a form by field. An empty field has an empty text. */
export type Values = Readonly<Record<string, string>>

/** A change that a dialog asks for. */
export interface Action {
  /** The text of the button, and the title of the dialog. */
  readonly label: string
  /** The consequence of the change, also for the signed-in user. */
  readonly message?: string | ((userId: string | null) => string)
  readonly fields?: ReadonlyArray<FormField>
  readonly operation: Operation
  /** Returns the text about a failure. Default: the change was not saved. */
  readonly failed?: (reason: string) => string
  /** Sends the change. Returns a secret that the server shows only once; otherwise null. */
  readonly send: (connection: Connection, values: Values) => Promise<string | null>
}

/** The names of the tenant's users by id. */
export type UserNames = ReadonlyMap<string, string>

/** A list of settings with its changes. */
export interface Listing<Row> {
  readonly title: string
  readonly empty: string
  /** The operation that reads the list. */
  readonly operation: Operation
  readonly read: (connection: Connection, cursor: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>
  readonly keyOf: (row: Row) => string
  /** The name of a row, by which screen readers tell the buttons of rows apart. */
  readonly nameOf: (row: Row, names: UserNames) => string
  readonly columns: (names: UserNames) => ReadonlyArray<Column<Row>>
  /** The changes that concern no row, such as adding one. */
  readonly general?: ReadonlyArray<Action>
  /** The changes of a row. Without them, the list is read only. */
  readonly actions?: (row: Row, names: UserNames) => ReadonlyArray<Action>
}
