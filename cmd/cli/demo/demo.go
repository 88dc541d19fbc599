// Package demo is the command that makes a video, an image and a song with the embedded gateway.
package demo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/mediainfo"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/tui/preview"
)

type options struct {
	k   *kit.Kit
	dir string
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use: "demo", Short: "make a video, an image and a piece of music with the embedded gateway",
		Long: `Creates one video, one image and one piece of music with the embedded gateway, follows
them to their ends side by side, saves the results, and says what was written. Nothing
leaves this machine.`,
		Example: "  darkroom demo --dir .",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.dir, "dir", "", "folder to save into (default: demo in the downloads folder)")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// file is one file that the demo wrote.
type file struct {
	Kind     client.AssetKind `json:"kind"`
	Path     string           `json:"path"`
	Bytes    int64            `json:"bytes"`
	Width    int              `json:"width,omitempty"`
	Height   int              `json:"height,omitempty"`
	Seconds  float64          `json:"seconds,omitempty"`
	About    string           `json:"about"`
	SHA256   string           `json:"sha256"`
	JobID    string           `json:"job"`
	Modality client.Modality  `json:"modality"`
}

// drafts returns the drafts of the three things to make.
func drafts(cat *catalog.Catalog) []client.Draft {
	video, image, music := cat.Default(client.Video), cat.Default(client.Image), cat.Default(client.Music)
	video.Prompt = "a red kite over a salt flat at dawn"
	video.Values = client.Values{"duration": "4", "aspect_ratio": "16:9"}
	image.Prompt = "a lighthouse on a cliff in a night storm"
	image.Values = client.Values{"size": "1024x1024"}
	music.Prompt = "slow piano over rain, warm and hopeful"
	music.Values = client.Values{"title": "Salt Flat Morning"}
	return []client.Draft{video, image, music}
}

func (o *options) run(ctx context.Context) error {
	start := time.Now()
	o.k.Profile = config.Sandbox // whatever is configured: a demo costs nobody anything
	gw, err := o.k.Gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	if o.dir == "" {
		o.dir = filepath.Join(gw.Config.Downloads, "demo")
	}
	desk, err := o.k.OpenDesk(ctx, gw, app.DeskOptions{Downloads: o.dir, AutoDownload: true, OwnOnly: true})
	if err != nil {
		return err
	}
	err = o.follow(ctx, desk, start)
	return errors.Join(err, desk.Close())
}

func (o *options) follow(ctx context.Context, desk *app.Desk, start time.Time) error {
	var subs []jobs.Submission
	for _, d := range drafts(desk.Catalog) {
		subs = append(subs, jobs.Submission{Draft: d})
	}
	ids, err := desk.Engine.Submit(ctx, subs)
	if err != nil {
		return err
	}
	all, err := follow.Watch(ctx, o.k, desk, ids, true)
	if err != nil {
		return err
	}
	files := describe(ctx, all)
	if err := o.print(ctx, files, time.Since(start)); err != nil {
		return err
	}
	return follow.Outcome(ctx, desk.Engine, all, true)
}

func describe(ctx context.Context, all []jobs.Job) []file {
	var out []file
	for _, j := range all {
		for _, f := range j.Files {
			if f.State != jobs.FileSaved {
				continue
			}
			d := file{Kind: f.Kind, Path: f.Path, Bytes: f.Bytes, SHA256: f.SHA256, JobID: j.ID, Modality: j.Draft.Modality}
			if info, err := mediainfo.Read(ctx, f.Path); err == nil {
				d.Width, d.Height, d.Seconds, d.About = info.Width, info.Height, info.Duration.Seconds(), info.Line()
			}
			out = append(out, d)
		}
	}
	return out
}

func (o *options) print(ctx context.Context, files []file, took time.Duration) error {
	s := o.k.IO
	if !o.k.Out.Table() {
		return kit.List(o.k.Out, files)
	}
	var cells [][]string
	for _, f := range files {
		cells = append(cells, []string{string(f.Kind), human.Bytes(f.Bytes), f.About, f.Path})
	}
	if err := kit.Rows(s.Out, []string{"KIND", "SIZE", "WHAT", "FILE"}, cells); err != nil {
		return err
	}
	if s.Tty != nil {
		for _, f := range files {
			if f.Kind == client.AssetImage {
				if err := o.thumbnail(ctx, f.Path); err != nil {
					s.Notef("darkroom: no thumbnail of %s: %v\n", f.Path, err)
				}
			}
		}
	}
	s.Printf("done in %s\n", human.Dur(took))
	return nil
}

// thumbnail prints a picture in half blocks.
func (o *options) thumbnail(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	img, err := preview.Decode(ctx, f, preview.DefaultLimits())
	if err != nil {
		return err
	}
	mode := preview.ModeFor(termenv.NewOutput(o.k.IO.Tty).EnvColorProfile())
	if mode.Colors != preview.NoColor {
		mode.Blocks = preview.HalfBlocks
	}
	o.k.IO.Printf("\n%s\n", preview.Render(img, 44, 22, mode))
	return nil
}
