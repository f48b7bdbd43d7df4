import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { intakeSuite } from "@leadloom/testkit/workflow/IntakeSuite"
import { pipelineSuite } from "@leadloom/testkit/workflow/PipelineSuite"
import { sendSuite } from "@leadloom/testkit/workflow/SendSuite"

intakeSuite("memory", memory)
pipelineSuite("memory", memory)
sendSuite("memory", memory)
