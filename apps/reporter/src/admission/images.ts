interface Container {
  readonly image?: string;
}

/** A pod, or a resource that makes pods: a deployment, a job, a CronJob. */
interface PodSource {
  readonly spec?: {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly volumes?: readonly { readonly image?: { readonly reference?: string } }[];
    readonly template?: PodSource;
    readonly jobTemplate?: PodSource;
  };
}

/** The fields of an `admission.k8s.io/v1` `AdmissionReview` that decide. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly namespace?: string;
  readonly object?: PodSource | null;
  /** The state before an update. */
  readonly oldObject?: PodSource | null;
}

/** The images that a request brings: those of its object that the object did not have before. */
export function addedImages({ object, oldObject }: AdmissionRequest): readonly string[] {
  const former = new Set(imagesOf(oldObject));
  return [...new Set(imagesOf(object))].filter((image) => !former.has(image));
}

function imagesOf(source: PodSource | null | undefined): readonly string[] {
  if (source?.spec === undefined) return [];
  const { initContainers, containers, ephemeralContainers, volumes, template, jobTemplate } = source.spec;
  return [
    ...[initContainers, containers, ephemeralContainers].flatMap((list) => (list ?? []).map(({ image }) => image)),
    ...(volumes ?? []).map((volume) => volume.image?.reference),
    ...imagesOf(template),
    ...imagesOf(jobTemplate),
  ].filter((image) => image !== undefined);
}
