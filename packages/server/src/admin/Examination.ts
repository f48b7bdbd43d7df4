import { openReadOnly, type ReadOnly } from "@leadloom/store/admin/OpenReadOnly"

/** What may be looked at of a store beside its server: nothing is ever changed by it. */
export type Examination = ReadOnly

/** Opens the SQLite database of a data directory for looking at it. */
export const examine = (file: string): Examination => openReadOnly(file)
