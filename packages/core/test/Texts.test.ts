import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { numbersSuite } from "@leadloom/testkit/suite/sending/NumberBlocksSuite"
import { mergedTextsSuite } from "@leadloom/testkit/suite/contact/MergedTextsSuite"
import { sentTextsSuite } from "@leadloom/testkit/suite/sending/SentTextsSuite"
import { textsSuite } from "@leadloom/testkit/suite/sending/TextsSuite"

numbersSuite("memory", memory)
textsSuite("memory", memory)
sentTextsSuite("memory", memory)
mergedTextsSuite("memory", memory)
