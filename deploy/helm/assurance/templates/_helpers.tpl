{{- define "assurance.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "assurance.labels" -}}
app.kubernetes.io/name: assurance
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels by which the pods of one service are selected. Argument: {root, service}. */}}
{{- define "assurance.selector" -}}
app.kubernetes.io/name: assurance
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end }}

{{- define "assurance.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end }}

{{/* The services that the values ask for, as a list of names separated by blanks. */}}
{{- define "assurance.services" -}}
{{- if eq .Values.mode "standalone" -}}standalone{{- else -}}gateway ingestion projection notification-dispatcher audit-package{{- end -}}
{{- end }}

{{/* The service that callers reach. */}}
{{- define "assurance.front" -}}
{{- printf "%s-%s" (include "assurance.name" .) (ternary "standalone" "gateway" (eq .Values.mode "standalone")) -}}
{{- end }}

{{/* Stops the installation with a sentence that names the value to change. */}}
{{- define "assurance.check" -}}
{{- if not (has .Values.mode (list "services" "standalone")) -}}
{{- fail "mode must be services or standalone" -}}
{{- end -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is required: the base URL under which callers reach the API" -}}
{{- end -}}
{{- if and (eq .Values.mode "services") (not .Values.kafka.brokers) -}}
{{- fail "kafka.brokers is required with mode: services" -}}
{{- end -}}
{{- range $name, $service := .Values.services -}}
{{- if and $service.autoscaling.enabled (eq $service.autoscaling.by "lag") (not (has $name (list "ingestion" "projection" "notification-dispatcher"))) -}}
{{- fail (printf "services.%s.autoscaling.by: only ingestion, projection and notification-dispatcher consume from Kafka" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "assurance.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef: { name: {{ .from.name | quote }}, key: {{ .from.key | quote }} }
{{- end }}

{{/* Variables of one service. Argument: {root, service}. */}}
{{- define "assurance.environment" -}}
{{- $values := .root.Values -}}
{{- $name := include "assurance.name" .root -}}
- { name: ASSURANCE_HOST, value: 0.0.0.0 }
- { name: ASSURANCE_OPERATIONS_HOST, value: 0.0.0.0 }
- { name: ASSURANCE_PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
- { name: ASSURANCE_REGION, value: {{ $values.region | quote }} }
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_SECRET" "from" $values.secrets.installation) }}
{{- if $values.secrets.previous.name }}
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_PREVIOUS_SECRET" "from" $values.secrets.previous) }}
{{- end }}
{{- if eq .service "standalone" }}
- { name: ASSURANCE_DATA_DIR, value: /var/lib/assurance }
{{- else }}
{{ include "assurance.secretVariable" (dict "variable" "MONGODB_URL" "from" $values.secrets.mongodb) }}
- { name: KAFKA_BROKERS, value: {{ $values.kafka.brokers | quote }} }
{{- with $values.kafka.prefix }}
- { name: ASSURANCE_KAFKA_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if $values.blobs.bucket }}
- { name: ASSURANCE_BLOBS_STORE, value: {{ $values.blobs.store | quote }} }
- { name: ASSURANCE_BLOBS_BUCKET, value: {{ $values.blobs.bucket | quote }} }
- { name: ASSURANCE_BLOBS_PATH_STYLE, value: {{ ternary "on" "off" $values.blobs.pathStyle | quote }} }
- { name: ASSURANCE_BLOBS_ENCRYPTION, value: {{ $values.blobs.encryption | quote }} }
{{- range $variable, $value := dict "PREFIX" $values.blobs.prefix "ENDPOINT" $values.blobs.endpoint "REGION" $values.blobs.region "KMS_KEY" $values.blobs.kmsKey }}
{{- with $value }}
- { name: {{ printf "ASSURANCE_BLOBS_%s" $variable }}, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- if eq .service "gateway" }}
{{- range $service := list "ingestion" "projection" "notification-dispatcher" "audit-package" }}
- { name: {{ printf "ASSURANCE_%s_URL" ($service | upper | replace "-" "_") }}, value: {{ printf "http://%s-%s:8001" $name $service | quote }} }
{{- end }}
{{- end }}
{{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
- { name: ASSURANCE_BOOTSTRAP_FILE, value: {{ printf "/etc/assurance/%s" $values.secrets.bootstrap.key | quote }} }
{{- end }}
{{- range $variable, $value := $values.settings }}
- { name: {{ $variable | quote }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{/* The pod of one service. Argument: {root, service, resources}. */}}
{{- define "assurance.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "assurance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .service }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "assurance.name" $root }}
  automountServiceAccountToken: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  # A process that ends gives callers 2.5 s to go elsewhere and running requests 10 s to finish.
  terminationGracePeriodSeconds: 30
  containers:
    - name: {{ .service }}
      image: {{ include "assurance.image" $root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: [node, {{ printf "apps/%s/dist/main.js" .service }}]
      ports:
        - { name: http, containerPort: 8001 }
        - { name: operations, containerPort: 8002 }
      env:
        {{- include "assurance.environment" . | nindent 8 }}
      {{- with $values.secrets.environment }}
      envFrom:
        - secretRef: { name: {{ . | quote }} }
      {{- end }}
      startupProbe:
        httpGet: { path: /live, port: operations }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /live, port: operations }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: operations }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if eq .service "standalone" }}
        - { name: data, mountPath: /var/lib/assurance }
        {{- end }}
        {{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
        - { name: bootstrap, mountPath: /etc/assurance, readOnly: true }
        {{- end }}
        {{- if $values.secrets.certificates }}
        - { name: certificates, mountPath: /etc/assurance-certificates, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .service "standalone" }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ $values.standalone.volume.existingClaim | default (printf "%s-data" (include "assurance.name" $root)) }}
    {{- end }}
    {{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
    - name: bootstrap
      secret: { secretName: {{ $values.secrets.bootstrap.name | quote }} }
    {{- end }}
    {{- with $values.secrets.certificates }}
    - name: certificates
      secret: { secretName: {{ . | quote }} }
    {{- end }}
  {{- if and $values.topologySpread (ne .service "standalone") }}
  topologySpreadConstraints:
    {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "assurance.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
