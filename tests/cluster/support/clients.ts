import { Cluster as Cluster6 } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis-5';
import { Cluster as Oldest } from 'ioredis-5.0';

export const Cluster50 = Oldest as unknown as typeof Cluster6;

/** The ioredis releases that the shim promises to work with: oldest, newest 5, newest. */
export const releases = [
  ['ioredis 5.0.0', Cluster50],
  ['ioredis 5', Cluster5 as unknown as typeof Cluster6],
  ['ioredis 6', Cluster6],
] as const;

export type ClusterClass = typeof Cluster6;
export type ClusterInstance = InstanceType<ClusterClass>;
export type ClusterSettings = NonNullable<ConstructorParameters<ClusterClass>[1]>;
