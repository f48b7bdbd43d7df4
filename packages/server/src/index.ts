/**
 * The public API of the package: a server that another program starts. All other modules are internal
 * (`docs/decisions/0086-packages.md`). `docs/reference/packages.md` lists the names. An example is in
 * `examples/embed-server`.
 */
export { serve } from "./main.ts"
export { type ServeOptions } from "./Program.ts"
export { type Adapters } from "./Adapters.ts"
export { readConfig, type ServerConfig } from "./config/Config.ts"
export { type Environment } from "./config/Variables.ts"
export { layer } from "./Server.ts"
export { StartupFailed } from "./startup/StartupFailed.ts"
