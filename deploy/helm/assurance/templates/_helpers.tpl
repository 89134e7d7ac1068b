{{- define "assurance.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "assurance.labels" -}}
app.kubernetes.io/name: assurance
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
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
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The services that the values ask for, as a list of names separated by blanks. */}}
{{- define "assurance.services" -}}
{{- get (dict "standalone" "standalone" "small" "all-roles") .Values.mode | default "gateway ingestion projection notification-dispatcher audit-package" -}}
{{- end }}

{{/* The service that callers reach. */}}
{{- define "assurance.front" -}}
{{- printf "%s-%s" (include "assurance.name" .) (include "assurance.services" . | splitList " " | first) -}}
{{- end }}

{{/* Stops the installation with a sentence that names the value to change. */}}
{{- define "assurance.check" -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is required: the base URL under which callers reach the API" -}}
{{- end -}}
{{- if and (ne .Values.mode "standalone") (not .Values.kafka.brokers) -}}
{{- fail (printf "kafka.brokers is required with mode: %s" .Values.mode) -}}
{{- end -}}
{{- if and (eq .Values.mode "standalone") .Values.kafka.cloudEventsTopic -}}
{{- fail "kafka.cloudEventsTopic needs mode: services or small" -}}
{{- end -}}
{{- with .Values.kafka.sasl -}}
{{- if and (ne .mechanism "none") (not .secret) -}}
{{- fail "kafka.sasl.secret is required with kafka.sasl.mechanism" -}}
{{- end -}}
{{- end -}}
{{- if and (or .Values.ingress.enabled .Values.httpRoute.enabled) (not .Values.trustedProxies) (not (hasKey .Values.settings "ASSURANCE_TRUSTED_PROXIES")) -}}
{{- fail "trustedProxies is required with ingress or httpRoute: the networks of the controller's pods, such as [10.244.0.0/16]. Without it all callers count as one address" -}}
{{- end -}}
{{- if and .Values.restore (not .Values.backup.enabled) -}}
{{- fail "restore needs backup.enabled: it reads from the volume of backups" -}}
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

{{/* The settings that hold a secret, as a list of {variable, name, key}. Argument: {root, service}. */}}
{{- define "assurance.secretSettings" -}}
{{- $values := .root.Values -}}
{{- $all := list (dict "variable" "ASSURANCE_SECRET" "from" $values.secrets.installation) -}}
{{- if $values.secrets.previous.name -}}
{{- $all = append $all (dict "variable" "ASSURANCE_PREVIOUS_SECRET" "from" $values.secrets.previous) -}}
{{- end -}}
{{- if ne .service "standalone" -}}
{{- $all = append $all (dict "variable" "MONGODB_URL" "from" $values.secrets.mongodb) -}}
{{- $tls := $values.kafka.tls -}}
{{- if and $tls.enabled $tls.secret -}}
{{- $all = append $all (dict "variable" "ASSURANCE_KAFKA_CA" "from" (dict "name" $tls.secret "key" "ca.crt")) -}}
{{- if $tls.clientCertificate -}}
{{- $all = append $all (dict "variable" "ASSURANCE_KAFKA_CERTIFICATE" "from" (dict "name" $tls.secret "key" "tls.crt")) -}}
{{- $all = append $all (dict "variable" "ASSURANCE_KAFKA_KEY" "from" (dict "name" $tls.secret "key" "tls.key")) -}}
{{- end -}}
{{- end -}}
{{- $sasl := $values.kafka.sasl -}}
{{- if ne $sasl.mechanism "none" -}}
{{- $variable := ternary "ASSURANCE_KAFKA_CLIENT_SECRET" "ASSURANCE_KAFKA_PASSWORD" (eq $sasl.mechanism "oauthbearer") -}}
{{- $all = append $all (dict "variable" $variable "from" (dict "name" $sasl.secret "key" "password")) -}}
{{- end -}}
{{- end -}}
{{- toYaml $all -}}
{{- end }}

{{/* Variables of one service. Argument: {root, service}; `operate` is where an operation finds the service. */}}
{{- define "assurance.environment" -}}
{{- $values := .root.Values -}}
{{- $name := include "assurance.name" .root -}}
- { name: ASSURANCE_HOST, value: 0.0.0.0 }
- { name: ASSURANCE_OPERATIONS_HOST, value: {{ .operate | default "0.0.0.0" | quote }} }
# Those who route callers hear of the end of a pod up to some seconds after the pod.
- { name: ASSURANCE_STOP_DELAY_MS, value: {{ mul $values.stopDelaySeconds 1000 | quote }} }
- { name: ASSURANCE_PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
- { name: ASSURANCE_REGION, value: {{ $values.region | quote }} }
{{- range include "assurance.secretSettings" . | fromYamlArray }}
{{- if $values.secrets.asFiles }}
- { name: {{ .variable }}_FILE, value: /etc/assurance-secrets/{{ .variable }} }
{{- else }}
{{ include "assurance.secretVariable" . }}
{{- end }}
{{- end }}
{{- if eq .service "standalone" }}
- { name: ASSURANCE_DATA_DIR, value: /var/lib/assurance }
{{- else }}
- { name: KAFKA_BROKERS, value: {{ $values.kafka.brokers | quote }} }
{{- with $values.kafka.tls }}
{{- if .enabled }}
- { name: ASSURANCE_KAFKA_TLS, value: "on" }
{{- end }}
{{- end }}
{{- with $values.kafka.sasl }}
{{- if ne .mechanism "none" }}
{{- $oauth := eq .mechanism "oauthbearer" }}
- { name: ASSURANCE_KAFKA_SASL, value: {{ .mechanism }} }
{{ include "assurance.secretVariable" (dict "variable" (ternary "ASSURANCE_KAFKA_CLIENT_ID" "ASSURANCE_KAFKA_USERNAME" $oauth) "from" (dict "name" .secret "key" "username")) }}
{{- if $oauth }}
- { name: ASSURANCE_KAFKA_TOKEN_URL, value: {{ .tokenUrl | quote }} }
{{- with .scope }}
- { name: ASSURANCE_KAFKA_SCOPE, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.kafka.prefix }}
- { name: ASSURANCE_KAFKA_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- if and $values.kafka.cloudEventsTopic (has .service (list "notification-dispatcher" "all-roles")) }}
- { name: ASSURANCE_CLOUDEVENTS_TOPIC, value: {{ $values.kafka.cloudEventsTopic | quote }} }
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
{{- if $values.tls.secret }}
- { name: ASSURANCE_TLS_CERTIFICATE_FILE, value: /etc/assurance-tls/tls.crt }
- { name: ASSURANCE_TLS_KEY_FILE, value: /etc/assurance-tls/tls.key }
- { name: ASSURANCE_TLS_CA_FILE, value: /etc/assurance-tls/ca.crt }
{{- if and $values.tls.clientCertificates (not (has .service (list "gateway" "all-roles" "standalone"))) }}
- { name: ASSURANCE_TLS_CLIENT_CERTIFICATES, value: required }
{{- end }}
{{- end }}
{{- if eq .service "gateway" }}
{{- range $service := list "ingestion" "projection" "notification-dispatcher" "audit-package" }}
- { name: {{ printf "ASSURANCE_%s_URL" ($service | upper | replace "-" "_") }}, value: {{ printf "%s://%s-%s:8001" (ternary "https" "http" (not (empty $values.tls.secret))) $name $service | quote }} }
{{- end }}
{{- end }}
{{- if and $values.trustedProxies (has .service (list "gateway" "all-roles" "standalone")) }}
- { name: ASSURANCE_TRUSTED_PROXIES, value: {{ join "," $values.trustedProxies | quote }} }
{{- end }}
{{- if and $values.backup.enabled (has .service (list "ingestion" "all-roles" "standalone")) }}
- { name: ASSURANCE_BACKUP_EVERY_SECONDS, value: {{ $values.backup.everySeconds | int | quote }} }
{{- end }}
{{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "all-roles" "standalone")) }}
- { name: ASSURANCE_BOOTSTRAP_FILE, value: {{ printf "/etc/assurance/%s" $values.secrets.bootstrap.key | quote }} }
{{- end }}
{{- range $variable, $value := $values.settings }}
- { name: {{ $variable | quote }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
What makes pods start again: the chart, the settings of all services, and the Secrets that they read. A cluster tells the versions of Secrets;
`helm template` has none, and secrets.revision stands for them.
*/}}
{{- define "assurance.configuration" -}}
{{- $root := . -}}
{{- range include "assurance.services" . | splitList " " -}}
{{- printf "%s:\n%s\n" . (include "assurance.environment" (dict "root" $root "service" .)) -}}
{{- end -}}
{{- printf "revision:%s\n" (.Values.secrets.revision | toString) -}}
{{- $names := list .Values.secrets.environment .Values.secrets.certificates .Values.secrets.bootstrap.name .Values.tls.secret -}}
{{- range include "assurance.secretSettings" (dict "root" . "service" (include "assurance.services" . | splitList " " | last)) | fromYamlArray -}}
{{- $names = append $names .from.name -}}
{{- end -}}
{{- range $names | uniq | compact -}}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . -}}
{{- printf "%s:%s\n" . (dig "metadata" "resourceVersion" "" $secret) -}}
{{- end -}}
{{- end }}

{{/* Whom containers run as. OpenShift gives each namespace users of its own and refuses others. */}}
{{- define "assurance.podSecurity" -}}
runAsNonRoot: true
{{- if and .Values.user (not (.Capabilities.APIVersions.Has "security.openshift.io/v1")) }}
runAsUser: {{ .Values.user }}
runAsGroup: {{ .Values.user }}
fsGroup: {{ .Values.user }}
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "assurance.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Where the secrets and certificates of one service are. Argument: {root, service}. */}}
{{- define "assurance.mounts" -}}
{{- $values := .root.Values -}}
- { name: tmp, mountPath: /tmp }
{{- if $values.secrets.asFiles }}
- { name: secrets, mountPath: /etc/assurance-secrets, readOnly: true }
{{- end }}
{{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "all-roles" "standalone")) }}
- { name: bootstrap, mountPath: /etc/assurance, readOnly: true }
{{- end }}
{{- if $values.tls.secret }}
- { name: tls, mountPath: /etc/assurance-tls, readOnly: true }
{{- end }}
{{- if $values.secrets.certificates }}
- { name: certificates, mountPath: /etc/assurance-certificates, readOnly: true }
{{- end }}
{{- with $values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The volumes of these mounts. Argument: {root, service}. */}}
{{- define "assurance.volumes" -}}
{{- $values := .root.Values -}}
- name: tmp
  emptyDir: {}
{{- if $values.secrets.asFiles }}
- name: secrets
  projected:
    sources:
      {{- range include "assurance.secretSettings" . | fromYamlArray }}
      - secret:
          name: {{ .from.name | quote }}
          items: [{ key: {{ .from.key | quote }}, path: {{ .variable }} }]
      {{- end }}
{{- end }}
{{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "all-roles" "standalone")) }}
- name: bootstrap
  secret: { secretName: {{ $values.secrets.bootstrap.name | quote }} }
{{- end }}
{{- with $values.tls.secret }}
- name: tls
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- with $values.secrets.certificates }}
- name: certificates
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- with $values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The volumes of the data folder and of backups. Argument: root. */}}
{{- define "assurance.dataVolume" -}}
- name: data
  persistentVolumeClaim:
    claimName: {{ .Values.standalone.volume.existingClaim | default (printf "%s-data" (include "assurance.name" .)) | quote }}
{{- end }}
{{- define "assurance.backupVolume" -}}
- name: backup
  persistentVolumeClaim:
    claimName: {{ .Values.backup.volume.existingClaim | default (printf "%s-backup" (include "assurance.name" .)) | quote }}
{{- end }}

{{/* The pod of one service. Argument: {root, service, resources}. */}}
{{- define "assurance.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $scheme := ternary ", scheme: HTTPS" "" (not (empty $values.tls.secret)) -}}
metadata:
  labels:
    {{- include "assurance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .service }}
  annotations:
    checksum/configuration: {{ include "assurance.configuration" $root | sha256sum }}
    {{- with $values.podAnnotations }}
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
    {{- include "assurance.podSecurity" $root | nindent 4 }}
  # A process that ends still takes requests for a while, gives running ones 10 s to finish, and closes its engines.
  terminationGracePeriodSeconds: {{ add $values.stopDelaySeconds 25 }}
  containers:
    - name: {{ .service }}
      image: {{ include "assurance.image" $root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: [node, --max-semi-space-size=16, {{ printf "apps/%s/dist/main.js" (ternary "standalone" .service (eq .service "all-roles")) }}]
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
        httpGet: { path: /live, port: operations{{ $scheme }} }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /live, port: operations{{ $scheme }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: operations{{ $scheme }} }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        {{- include "assurance.containerSecurity" $root | nindent 8 }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        {{- include "assurance.mounts" . | nindent 8 }}
        {{- if eq .service "standalone" }}
        - { name: data, mountPath: /var/lib/assurance }
        {{- if $values.backup.enabled }}
        - { name: backup, mountPath: /var/lib/assurance-backup }
        {{- end }}
        {{- end }}
  volumes:
    {{- include "assurance.volumes" . | nindent 4 }}
    {{- if eq .service "standalone" }}
    {{- include "assurance.dataVolume" $root | nindent 4 }}
    {{- if $values.backup.enabled }}
    {{- include "assurance.backupVolume" $root | nindent 4 }}
    {{- end }}
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

{{/* The consumer groups of one service, as a list of names separated by blanks. Argument: {root, service}. */}}
{{- define "assurance.groups" -}}
{{- .service -}}
{{- if eq .service "projection" }} vulnerabilities{{ end -}}
{{- if and (eq .service "notification-dispatcher") .root.Values.kafka.cloudEventsTopic }} cloudevents{{ end -}}
{{- end }}

{{/* What KEDA takes from Secrets to reach Kafka; empty where it needs nothing. */}}
{{- define "assurance.kafkaSecrets" -}}
{{- with .Values.kafka.tls }}
{{- if and .enabled .secret }}
- { parameter: ca, name: {{ .secret | quote }}, key: ca.crt }
{{- if .clientCertificate }}
- { parameter: cert, name: {{ .secret | quote }}, key: tls.crt }
- { parameter: key, name: {{ .secret | quote }}, key: tls.key }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.kafka.sasl }}
{{- if ne .mechanism "none" }}
- { parameter: username, name: {{ .secret | quote }}, key: username }
- { parameter: password, name: {{ .secret | quote }}, key: password }
{{- end }}
{{- end }}
{{- end }}

{{/* What the pods of one service may reach. Argument: {root, service}. */}}
{{- define "assurance.egress" -}}
{{- $values := .root.Values -}}
# Name servers, which clusters put in different places; those of OpenShift listen on 5353.
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
    - { port: 5353, protocol: UDP }
    - { port: 5353, protocol: TCP }
{{- if eq .service "gateway" }}
- ports:
    - { port: http }
  to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: assurance
          app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}
{{- $ports := list }}
{{- if ne .service "standalone" }}
{{- $ports = concat $ports $values.networkPolicy.egress.mongodbPorts }}
{{- range splitList "," $values.kafka.brokers }}
{{- $ports = append $ports (splitList ":" . | last | trim | int) }}
{{- end }}
{{- end }}
{{- if $values.blobs.bucket }}
{{- $ports = append $ports (regexFind "[0-9]+$" (get (urlParse $values.blobs.endpoint) "host") | default "443" | int) }}
{{- end }}
{{- with $ports | uniq }}
# MongoDB, Kafka and the bucket.
- ports:
    {{- range . }}
    - { port: {{ . }} }
    {{- end }}
  {{- with $values.networkPolicy.egress.stores }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- if or (has .service (list "gateway" "notification-dispatcher" "all-roles" "standalone")) $values.blobs.bucket $values.kafka.sasl.tokenUrl (and (eq .service "ingestion") (hasKey $values.settings "ASSURANCE_VULNERABILITIES_ORGANIZATIONS")) }}
# Public addresses: targets of messages, sources of vulnerabilities, the provider of sign-ins, where the credentials of a bucket and tokens of Kafka come from.
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock:
        cidr: "::/0"
        except: ["fc00::/7", "fe80::/10"]
{{- end }}
{{- with $values.networkPolicy.egress.more }}
{{ toYaml . }}
{{- end }}
{{- end }}
