/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'redslot-wasm',
  // The declarations that a user gets, and not the sources, which have more in them.
  entryPoints: ['index', 'ioredis/index', 'cluster-key-slot', 'js'].map(
    (entry) => `../../dist/esm/${entry}.d.ts`,
  ),
  tsconfig: 'tsconfig.json',
  out: '../dist/api',
  readme: 'none',
  disableSources: true,
  hideGenerator: true,
  validation: {
    invalidLink: true,
    invalidPath: true,
    notDocumented: true,
    notExported: true,
    rewrittenLink: true,
    unusedMergeModuleWith: true,
  },
  // Each of these is told with the class or property that it belongs to.
  intentionallyNotDocumented: [
    'redslot-wasm.CrossSlotError.name',
    'redslot-wasm.TopologyError.name',
    'redslot-wasm.ExplainedKey.tag.__type.start',
    'redslot-wasm.ExplainedKey.tag.__type.end',
    'redslot-wasm.KeyExplanation.tag.__type.start',
    'redslot-wasm.KeyExplanation.tag.__type.end',
    'redslot-wasm.KeyExplanation.braces.__type.open',
    'redslot-wasm.KeyExplanation.braces.__type.close',
    'redslot-wasm/ioredis.RedslotError.name',
    'redslot-wasm/ioredis.LoadError.name',
    'redslot-wasm/ioredis.PartialError.name',
    'redslot-wasm/ioredis.PipelineExplanation.refused.__type.code',
    'redslot-wasm/ioredis.PipelineExplanation.refused.__type.reason',
  ],
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
