import { openReadOnly, type ReadOnly } from "@leadloom/store/internal/admin/OpenReadOnly"

/** Read-only access to a store while its server may run. */
export type Examination = ReadOnly

/** Opens the SQLite database of a data directory read-only. */
export const examine = (file: string): Examination => openReadOnly(file)
