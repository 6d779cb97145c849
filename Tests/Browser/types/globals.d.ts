// What browsers have and the library of this version of TypeScript doesn't declare.

declare class CompressionStream {
  constructor(format: "gzip");
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<BufferSource>;
}

declare class DecompressionStream extends CompressionStream {}

interface Array<T> {
  findLast(predicate: (value: T, index: number) => boolean): T | undefined;
}

interface PerformanceResourceTiming {
  readonly responseStatus: number;
}
